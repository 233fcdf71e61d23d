"""A shop without pages: lists what is sold, places orders, and receives events. README.md says how to start and try it."""

import base64, hashlib, hmac, json, os, re, secrets, time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

BASE = os.environ["KEYFRONT_URL"].removesuffix("/").removesuffix("/api/v1") + "/api/v1"
KEY = load_pem_private_key(base64.b64decode(os.environ["KEYFRONT_SECRET_KEY"]), password=None)
KEY_ID = hashlib.sha256(KEY.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()
WEBHOOK_KEY = base64.b64decode(os.environ["KEYFRONT_WEBHOOK_SECRET"].removeprefix("whsec_"))
SHOP_TOKEN = os.environ["SHOP_TOKEN"]
# The ids of events that were handled: an event may arrive twice. Keep them in your database, so that they survive a restart.
HANDLED = set()

class Refusal(Exception):
    def __init__(self, status, message, code=None):
        self.status, self.content = status, {"error": message, "code": code}

def sign(method, url, body):
    """The headers of a bound signature: for this request only, for five minutes, and once if it changes something."""
    covered = {"@method": method, "@target-uri": url}
    if body:
        covered["content-digest"] = f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"
    nonce = "" if method == "GET" else f';nonce="{secrets.token_hex(16)}"'
    params = f'({" ".join(json.dumps(name) for name in covered)});created={int(time.time())};keyid="{KEY_ID}"{nonce}'
    text = "".join(f'"{name}": {value}\n' for name, value in covered.items()) + f'"@signature-params": {params}'
    r, s = utils.decode_dss_signature(KEY.sign(text.encode(), ec.ECDSA(SHA256())))
    signature = base64.b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).decode()
    headers = {"signature-input": f"sig1={params}", "signature": f"sig1=:{signature}:"}
    return headers | ({"content-digest": covered["content-digest"], "content-type": "application/json"} if body else {})

def call(method, target, body=None, headers={}):
    """Calls Keyfront up to three times: a GET changes nothing, and a POST has an Idempotency-Key."""
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(3):
        time.sleep(attempt)
        try:
            signed = sign(method, BASE + target, data)
            with urlopen(Request(BASE + target, data, signed | headers, method=method), timeout=10) as response:
                return json.load(response)["data"]
        except HTTPError as error:
            if error.code < 500 and error.code not in (401, 429):
                answer = json.load(error)
                raise Refusal(error.code, answer["message"], answer.get("code"))
        except OSError as error:
            print(error, flush=True)
    raise Refusal(502, "Keyfront cannot be reached")

def list_strains(country):
    strains = call("GET", "/strains?" + urlencode({"countryCode": country, "take": 100}))["strains"]
    names = {"id": "id", "name": "name", "price": "retailPrice", "currency": "currency", "stock": "stockQuantity"}
    return [{name: strain[field] for name, field in names.items()} for strain in strains]

def place_order(order):
    """Places an order once. Whoever sends its reference again gets the same order, today by the key and later by the reference."""
    reference = order.get("reference") if isinstance(order, dict) else None
    if not isinstance(reference, str) or not re.fullmatch(r"[A-Za-z0-9_-]{8,64}", reference):
        raise Refusal(400, 'reference must have 8 to 64 letters, digits, "_" and "-"')
    body = {"clientId": order.get("clientId"), "items": order.get("items"), "externalReference": reference}
    try:
        placed = call("POST", "/dapp/orders", body, {"idempotency-key": reference})
    except Refusal as refusal:
        found = call("GET", f"/dapp/orders?externalReference={reference}")["orders"] if refusal.status == 409 else []
        if not found:
            raise
        placed = found[0]
    return {name: placed[name] for name in ("id", "invoiceNumber", "totalAmount", "currency")}

def take_event(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        raise Refusal(400, "The delivery is old, or has no time")
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.digest(WEBHOOK_KEY, signed, "sha256"))
    if not any(hmac.compare_digest(expected, each.encode()) for each in headers.get("webhook-signature", "").split(" ")):
        raise Refusal(400, "No signature is valid")
    event = json.loads(body)
    if event["id"] not in HANDLED:
        HANDLED.add(event["id"])
        print(event["type"], event["id"], flush=True)
