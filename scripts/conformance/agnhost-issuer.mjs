// `agnhost test-service-account-issuer-discovery`: verifies the token of a service account with the documents of its issuer.
import { createPublicKey, verify } from "node:crypto";

import { fetchText } from "./http-client.mjs";

const CA_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";
const TOKEN_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/** Ends with 1 if the token is not valid for the audience, or the issuer does not serve its keys. */
export async function checkIssuer({ container, files, flags }) {
  try {
    const token = files.read(flags.get("token-path") ?? "").toString("utf8");
    const [header, payload, signature] = token.split(".");
    const { alg, kid } = decode(header);
    const { iss, aud, exp } = decode(payload);
    container.log(`OK: got issuer ${iss}`);
    const configuration = await fetchJson({ container, files }, `${iss}/.well-known/openid-configuration`);
    if (configuration.issuer !== iss)
      throw new Error(`issuer did not match: expected ${iss}, got ${configuration.issuer}`);
    container.log(`OK: Constructed OIDC provider for issuer ${iss}`);
    const { keys } = await fetchJson({ container, files }, configuration.jwks_uri);
    const jwk = keys.find((each) => each.kid === kid && each.alg === alg);
    if (jwk === undefined) throw new Error(`no key ${kid}`);
    const key = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" };
    if (!verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url")))
      throw new Error("failed to verify signature");
    if (![aud].flat().includes(flags.get("audience"))) throw new Error(`expected audience, got ${JSON.stringify(aud)}`);
    if (exp * 1000 < Date.now()) throw new Error("token is expired");
    container.log("OK: Validated signature on JWT");
    return 0;
  } catch (error) {
    container.log(error.message);
    return 1;
  }
}

function decode(part) {
  return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
}

async function fetchJson({ container, files }, url) {
  const authorization = `Bearer ${files.read(TOKEN_FILE).toString("utf8")}`;
  const { status, body } = await fetchText(container, url, { ca: files.read(CA_FILE), headers: { authorization } });
  if (status !== 200) throw new Error(`${url}: ${String(status)}: ${body}`);
  return JSON.parse(body);
}
