import type { ServedDocument } from "../pipeline/extension-points.ts";
import type { PublicTokenKey } from "./service-account-keys.ts";
import type { ServiceAccountTokenSigner } from "./service-account-token.ts";

const CONFIGURATION_PATH = "/.well-known/openid-configuration";
const KEYS_PATH = "/openid/v1/jwks";
const HEADERS = { "Cache-Control": "public, max-age=3600" } as const;

/**
 * Returns the documents of OpenID Connect with which others verify the tokens of service accounts; there are none for tokens that a secret signs, or whose
 * issuer is no HTTPS URL.
 */
export function issuerDocument(
  signer: ServiceAccountTokenSigner,
  path: string,
  serverUrl: () => string | undefined,
): ServedDocument | undefined {
  if (path !== CONFIGURATION_PATH && path !== KEYS_PATH) return undefined;
  const { url, publicKeys } = signer.issuer;
  const server = serverUrl();
  if (publicKeys.length === 0 || !url.startsWith("https://") || server === undefined) return undefined;
  if (path === KEYS_PATH) {
    const body = JSON.stringify({ keys: distinct(publicKeys).map(webKey) });
    return { contentType: "application/jwk-set+json", headers: HEADERS, body };
  }
  const configuration = {
    issuer: url,
    jwks_uri: `${server}${KEYS_PATH}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(publicKeys.map(({ alg }) => alg))].toSorted(),
  };
  return { contentType: "application/json", headers: HEADERS, body: JSON.stringify(configuration) };
}

function distinct(keys: readonly PublicTokenKey[]): readonly PublicTokenKey[] {
  return [...new Map(keys.map((key) => [key.kid, key])).values()];
}

// In the order in which Go writes the fields.
function webKey({ alg, kid, key }: PublicTokenKey): object {
  const { kty, crv, ...numbers } = key.export({ format: "jwk" });
  return { use: "sig", kty, kid, ...(crv === undefined ? {} : { crv }), alg, ...numbers };
}
