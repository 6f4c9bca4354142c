"""The server: matches over HTTP, and the page that browsers play them on.

::

    app            the ASGI application
    cleanup        the hourly removal of old matches
    api            the table of calls, of which routes are made, and its OpenAPI
    matches        the calls about one match: create, sit, ask, watch, look back;
                   reading bodies, seats and set-ups from requests
    analysis       hints, reasons and reviews; solutions and puzzles of any game
    responses      answers and refusals
    live_match     one match in memory: its session, log, listeners, coach's warning
    live_matches   all of them: loading, deciding and committing, catching up
    streams        server-sent events
    presence       who is connected, on this process and on others
    threads        a pool for what takes long; the writer of the store: group commit
    security       hosts, origins, headers; limits on the head of a request
    rate_limits    requests a minute and open streams for each address
    seat_secrets   the server's key; match ids, secrets, repeated requests
    metrics        counts for Prometheus
    pages          the files of the page, compressed and cached for good
    qr             QR codes of links
    run            address, database and uvicorn of a server, alone or beside a game
    workers        several processes on one port
    page/          the page itself: HTML, CSS and JavaScript, without a build step;
                   ``main.js`` lists its modules
"""
