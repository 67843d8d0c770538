age-encryption.org/v1
-> X25519 abc
ÿþ
