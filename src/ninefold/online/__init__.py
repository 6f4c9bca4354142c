"""Playing over a network: the client, and what it shares with the server.

::

    messages      the messages of the wire, which server and clients share; names of
                  strangers; what everyone may see of a log
    links         addresses of servers and of matches
    http_client   requests to a server, repeated until an answer comes
    event_stream  the event stream of a match, across lost connections
    remote_table  a match on a server, as a table
    join          taking a seat, rejoining, hosting, watching
    credentials   the file of a player's secrets
"""
