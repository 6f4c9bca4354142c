"""Playing over a network: the messages of the wire, which server and clients share."""
