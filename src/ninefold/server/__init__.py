"""The server: matches and classes over HTTP, and the page to play them in a browser.

::

    asgi               the ASGI application
    route_table        finds the endpoint of a path
    endpoints          the list of endpoints, and their OpenAPI description
    match_endpoints    one match: create, join, ask, watch, review
    learner_endpoints  a learner: practice, path, puzzles, progress
    class_endpoints    classes: enter, join, ask, follow, results
    class_decisions    from the asks of a class's devices to its commands
    class_views        what the devices of a class show
    class_results      the games and results of a class, from its matches
    seating_plan       who plays whom in the next round of a class
    analysis           hints, reasons and reviews; solutions and puzzles of any game
    requests           bodies and queries, and their sizes
    responses          responses and refusals
    seats              the server's key; ids, secrets of seats and devices, tokens
    live_match         one match in memory: session, log, listeners, coach's warnings
    live_matches       all of them: loading, deciding, committing, catching up
    live_class         one class in memory: log, tables, streams
    live_classes       all of them: loading, deciding, committing, ending rounds
    event_streams      server-sent events
    presence           who is connected, to this process and to others
    thread_pool        threads for slow work
    commit_queue       the store's writer: group commit
    security           hosts, origins, headers; limits on request headers and bodies
    rate_limits        requests a minute and open streams for each address
    metrics            counts for Prometheus
    pages              the files of the page, and their caching
    qr_codes           QR codes of links
    cleanup            the hourly removal of old matches and classes
    run                address, database and uvicorn of a server, alone or in a thread
    teach              a server for one class, on a teacher's laptop
    worker_processes   several processes on one port
    page/              HTML, CSS and JavaScript, without a build step; ``main.js`` lists
                       its modules
"""
