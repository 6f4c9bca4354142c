from hypothesis import settings

# On a busy machine a slow example says nothing about the code.
settings.register_profile("ninefold", deadline=None)
settings.load_profile("ninefold")
