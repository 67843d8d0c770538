"""What Salt's filters and functions raise, apart for how the renderer words them."""


class SaltFunctionError(Exception):
    """A call that makes no sense or did not work; the renderer says which function had trouble.

    Source: Salt ``salt/exceptions.py`` (``SaltInvocationError``, ``CommandExecutionError``).
    """


class SaltTemplateError(Exception):
    """Any other error of Salt's own, ``raise()`` in a template among them.

    Source: Salt ``salt/exceptions.py`` (``SaltException``, ``TemplateError``).
    """
