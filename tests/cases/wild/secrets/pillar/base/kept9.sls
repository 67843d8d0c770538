kept9:
  # No gpg in the pipe: the message is a text like any other.
  note: |
    -----BEGIN PGP MESSAGE-----

    hQGMA4CqHqsmIDPnAQv9FMEaYwI6G51q51+VeBpwie+qH7vL4nOG2iEROABeeKz5
    ziVXjOPPr31Rw0yVPkLUXyOjLbhQzTghol41//fCQRS18g3JwijG96whwED2DEc4
    yxFdaB7nwq+9L1WRYwp/1AtO3YfbWCW8qnPbwC+FR9RZuYEuVxD5cQXgWVKvVb+7
    EIjQpfnEM66L3aB1NdbwyKAX0aqcmrtGGyOx7j9q0zqE2M3gkDpOOfD4UxsKmGpv
    hn7wH8CyxVJnv4NkxA1sN0KyidCXU3vBznBPwRUTEdCUTvyDUx6Jyfe4c2yUj1be
    /m0RPSS3jTEv+k/0eDy20MwKiNdit6KMK/ItnombtZ4/vq0nRjHyriGRkXThSVx2
    qImsIfW5XSdIRkQ2pY08D+BSlBKH+PdLtwKTKbytKDSR3qvx9wWgQzSy70rLf9M9
    CsdeucMWN2l46gvpaCMzsL9alckgdBjXGtYabRm0cXAkqEeFoCcmDkiPFZOb9uq7
    lN4MWkna3SCWXzX9M9NF0k4BV4mieRmzbCIqvxkJEwAsGA7pAOoMEFWqLmIkWSf3
    U6cBEpwKpqF4jA697cd1KzOAOWJlZGWKmx1xkInz6HRrMKTfvRdpVM9XaX669zc=
    =WRIM
    -----END PGP MESSAGE-----
  hash: $6$rounds=5000$saltsalt$3H8tQx0kVfQ8oTzLJ0z1nq6m7Y9sWb5cXeRvUpAaDdFfGgHhJjKk
  apr: $apr1$abcdefgh$0123456789abcdefghijk.
  vault: __vault__:secret/data/zephyr:password
  sdb: sdb://grove/password
  url: https://user:s3cr3t-willow@git.example.net/x.git
  PasswordAuthentication: no
  proxy_pass: http://grove:8080
  public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIrowan someone@example.net
  private_key: |
    -----BEGIN RSA PRIVATE KEY-----
    MIIEowIBAAKCAQEAkarst5198
    -----END RSA PRIVATE KEY-----
