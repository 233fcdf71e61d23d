/**
 * The script that signs each request of the collection before it is sent, in the form of RFC 9421. Postman runs it in a sandbox with
 * crypto-js, and Web Crypto where it exists does not know the curve secp256k1, so the curve is here: plain arithmetic, on the machine of the
 * developer, for tests by hand. Programs sign with the SDK.
 */
export const signingScript = String.raw`
(() => {
const CryptoJS = require('crypto-js');
const [apiKey, secretKey] = ['apiKey', 'secretKey'].map((name) => (pm.variables.get(name) || '').trim());

// What is signed is what is sent: with the values of all variables, also of those that are new each time.
const url = encodeURI(decodeURI(pm.variables.replaceIn(pm.request.url.toString())));
pm.request.url.update(url);
const method = pm.request.method;
const hasBody = Boolean(pm.request.body && pm.request.body.raw);
const body = hasBody ? pm.variables.replaceIn(pm.request.body.raw) : '';
if (hasBody) pm.request.body.update({ mode: 'raw', raw: body });
const set = (key, value) => pm.request.headers.upsert({ key, value });

if (method === 'POST') set('idempotency-key', pm.variables.replaceIn('{{$guid}}'));
// Requests with a token have it from Postman, and public ones need nothing.
if (!pm.request.auth && secretKey) sign();

function sign() {
  const digest = 'sha-256=:' + CryptoJS.SHA256(CryptoJS.enc.Utf8.parse(body)).toString(CryptoJS.enc.Base64) + ':';
  if (hasBody) set('content-digest', digest);
  const values = { '@method': method, '@target-uri': url, ...(hasBody ? { 'content-digest': digest } : {}) };
  const nonce = method === 'GET' ? '' : ';nonce="' + pm.variables.replaceIn('{{$guid}}') + '"';
  const names = Object.keys(values).map((name) => '"' + name + '"').join(' ');
  const keyid = CryptoJS.SHA256(readKey(apiKey)).toString();
  const input = '(' + names + ');created=' + Math.floor(Date.now() / 1000) + ';keyid="' + keyid + '"' + nonce;
  const lines = Object.entries(values).map(([name, value]) => '"' + name + '": ' + value);
  const text = [...lines, '"@signature-params": ' + input].join('\n');
  set('signature-input', 'sig1=' + input);
  set('signature', 'sig1=:' + signEcdsa(CryptoJS.SHA256(CryptoJS.enc.Utf8.parse(text))) + ':');
}

// The bytes of a key: a PEM, or a PEM in Base64 as the service shows it.
function readKey(text) {
  const pem = text.startsWith('-----') ? text : CryptoJS.enc.Base64.parse(text).toString(CryptoJS.enc.Utf8);
  return CryptoJS.enc.Base64.parse(pem.replace(/-----[A-Z ]+-----|\s/g, ''));
}

// ECDSA on secp256k1 with the number of RFC 6979, which needs no random source.
function signEcdsa(hash) {
  const p = 2n ** 256n - 2n ** 32n - 977n;
  const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const g = [
    0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
    0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  ];
  const mod = (value, by) => ((value % by) + by) % by;
  const invert = (value, by) => {
    let [a, b, x, y] = [mod(value, by), by, 1n, 0n];
    while (a > 1n) {
      const quotient = b / a;
      [b, a] = [a, b % a];
      [y, x] = [x, y - quotient * x];
    }
    return mod(x, by);
  };
  const add = (one, two) => {
    if (!one) return two;
    if (!two) return one;
    const [[x1, y1], [x2, y2]] = [one, two];
    if (x1 === x2 && y1 !== y2) return null;
    const slope = x1 === x2 ? 3n * x1 * x1 * invert(2n * y1, p) : (y2 - y1) * invert(x2 - x1, p);
    const x = mod(slope * slope - x1 - x2, p);
    return [x, mod(slope * (x1 - x) - y1, p)];
  };
  const multiply = (point, by) => {
    let sum = null;
    for (let left = by, power = point; left > 0n; left >>= 1n, power = add(power, power)) {
      if (left & 1n) sum = add(sum, power);
    }
    return sum;
  };
  const toHex = (number) => number.toString(16).padStart(64, '0');
  const toNumber = (words) => BigInt('0x' + words.toString());
  const found = /0201010420([0-9a-f]{64})/.exec(readKey(secretKey).toString());
  if (!found) throw new Error('secretKey is no secret key of Keyfront: a PEM (PKCS #8) or the same in Base64');
  const secret = BigInt('0x' + found[1]);
  const digest = mod(toNumber(hash), n);
  const seed = toHex(secret) + toHex(digest);
  const hmac = (key, hex) => CryptoJS.HmacSHA256(CryptoJS.enc.Hex.parse(hex), CryptoJS.enc.Hex.parse(key)).toString();
  let [key, state] = ['00'.repeat(32), '01'.repeat(32)];
  for (const mark of ['00', '01']) {
    key = hmac(key, state + mark + seed);
    state = hmac(key, state);
  }
  for (;;) {
    state = hmac(key, state);
    const k = BigInt('0x' + state);
    const r = k > 0n && k < n ? mod(multiply(g, k)[0], n) : 0n;
    const s = r === 0n ? 0n : mod(invert(k, n) * (digest + r * secret), n);
    if (s !== 0n) return CryptoJS.enc.Hex.parse(toHex(r) + toHex(s)).toString(CryptoJS.enc.Base64);
    key = hmac(key, state + '00');
    state = hmac(key, state);
  }
}
})();
`.trim();
