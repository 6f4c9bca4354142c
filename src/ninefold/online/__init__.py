"""Playing over a network: the client, and what it shares with the server.

::

    messages        the messages between server and clients; names of strangers; the
                    public form of a log
    class_messages  the messages of a class, between a server and its pages
    links           addresses of servers and of matches
    http_client     requests to a server, with retries
    event_stream    the event stream of a match, across lost connections
    remote_table    a match on a server, as a table
    join            taking a seat, rejoining, hosting, watching
    credentials     the file of a player's secrets
"""
