"""Playing over a network: the client's side, and what it shares with the server.

::

    messages      the messages of the wire, which server and clients share; names that
                  strangers give themselves; what everybody may see of a log
    links         addresses of servers and of matches
    client        requests to a server, repeated until an answer comes
    stream        the event stream of a match, through lost connections
    remote_table  a match on a server, as a table at which one sits
    join          taking a seat, coming back to it, hosting, watching
    credentials   the file of one's secrets
"""
