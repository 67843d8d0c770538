e: inner
