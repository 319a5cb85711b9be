#!/usr/bin/python3
"""Makes vectors.json: hashes by programs of others, which judge ours.

On Debian: apt-get install python3-passlib python3-venv apache2-utils python3-argon2 python3-bcrypt, and a newer Django than its own, which has
scrypt: /usr/bin/python3 -m venv --system-site-packages v; v/bin/pip install "Django==5.2.*"
Then: v/bin/python test/passwords/make-vectors.py > test/passwords/vectors.json

Versions that made the committed file are in it. Each run has other salts. ASP.NET Identity and Better Auth have no program in Debian:
their bytes are put together here by hashlib, which is OpenSSL's, after what their sources say.
"""
import base64
import hashlib
import json
import os
import struct
import subprocess
import sys
import unicodedata

import argon2 as argon2_cffi
import bcrypt as bcrypt_module
import django
import passlib
from django.conf import settings
from passlib import hash as passlib_hash

algorithms = ["PBKDF2PasswordHasher", "PBKDF2SHA1PasswordHasher", "Argon2PasswordHasher", "BCryptSHA256PasswordHasher", "BCryptPasswordHasher", "ScryptPasswordHasher"]
settings.configure(PASSWORD_HASHERS=["django.contrib.auth.hashers." + name for name in algorithms])
django.setup()
from django.contrib.auth.hashers import get_hasher, make_password  # noqa: E402

plain = "correct horse battery staple"
strange = " p\u00e4ssw\u00f6rd \u2603 \U0001f511 "
vectors = []


def add(kind, source, password, text):
    vectors.append({"kind": kind, "source": source, "password": password, "hash": text})


def htpasswd(password):
    out = subprocess.run(["htpasswd", "-niB", "-C", "6", "x"], input=password.encode(), capture_output=True, check=True)
    return out.stdout.decode().strip().split(":", 1)[1]


for password in (plain, strange):
    add("bcrypt", "htpasswd -B", password, htpasswd(password))
    for ident in ("2a", "2b", "2y"):
        add("bcrypt", "passlib", password, passlib_hash.bcrypt.using(rounds=5, ident=ident).hash(password))
    add("bcrypt", "python-bcrypt", password, bcrypt_module.hashpw(password.encode(), bcrypt_module.gensalt(5)).decode())
    for name in ("pbkdf2_sha1", "pbkdf2_sha256", "pbkdf2_sha512"):
        add("pbkdf2", "passlib", password, getattr(passlib_hash, name).using(rounds=1200).hash(password))
    add("scrypt", "passlib", password, passlib_hash.scrypt.using(rounds=10).hash(password))
    add("scrypt", "passlib", password, passlib_hash.scrypt.using(rounds=12, block_size=4, parallelism=3).hash(password))
    for letter in ("I", "D", "ID"):
        hasher = passlib_hash.argon2.using(type=letter, rounds=2, memory_cost=1024, parallelism=2)
        add("argon2", "passlib", password, hasher.hash(password))
    add("argon2", "argon2-cffi", password, argon2_cffi.PasswordHasher().hash(password))
    for name in ("pbkdf2_sha256", "pbkdf2_sha1"):
        add("django", "Django", password, get_hasher(name).encode(password, get_hasher(name).salt(), 1500))
    for name in ("argon2", "scrypt", "bcrypt_sha256", "bcrypt"):
        add("django", "Django", password, make_password(password, hasher=name))

    salt = os.urandom(16)
    add("aspNetIdentity", "hashlib", password, base64.b64encode(b"\x00" + salt + hashlib.pbkdf2_hmac("sha1", password.encode(), salt, 1000, 32)).decode())
    for prf, digest, rounds, size in ((0, "sha1", 250, 16), (1, "sha256", 10000, 32), (2, "sha512", 1500, 64)):
        key = hashlib.pbkdf2_hmac(digest, password.encode(), salt, rounds, size)
        add("aspNetIdentity", "hashlib", password, base64.b64encode(b"\x01" + struct.pack(">III", prf, rounds, 16) + salt + key).decode())

for password in (plain, strange, "\ufb01ne and long enough"):
    salt = os.urandom(16).hex()
    text = unicodedata.normalize("NFKC", password).encode()
    key = hashlib.scrypt(text, salt=salt.encode(), n=16384, r=16, p=1, maxmem=2**26, dklen=64)
    add("betterAuth", "hashlib", password, salt + ":" + key.hex())

long = "a" * 72 + "the rest"
add("bcrypt-long", "htpasswd -B", long, htpasswd(long[:72]))
add("bcrypt-long", "passlib", long, passlib_hash.bcrypt.using(rounds=5, truncate_error=False).hash(long))

versions = {
    "passlib": passlib.__version__,
    "Django": django.__version__,
    "bcrypt": bcrypt_module.__version__,
    "argon2-cffi": argon2_cffi.__version__,
    "apache2-utils": subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "apache2-utils"], capture_output=True).stdout.decode(),
    "python": sys.version.split()[0],
}
json.dump({"versions": versions, "vectors": vectors}, sys.stdout, indent=2)
print()
