"""Playing over a network: the client's side, and what it shares with the server.

::

    messages      the messages of the wire, which server and clients share
    public_log    what a log shows to everybody, and its digest
    links         addresses of servers and of matches
    names         names that strangers give themselves
    client        requests to a server, repeated until an answer comes
    stream        the event stream of a match, through lost connections
    remote_table  a match on a server, as a table at which one sits
    join          taking a seat, coming back to it, hosting, watching
    credentials   the file of one's secrets
"""
