import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";

/** A new passkey as the browser hands it over; bytes in base64url. */
export interface NewCredential {
  readonly id: string;
  readonly client_data: string;
  readonly attestation: string;
  readonly transports: readonly string[];
}

/** What a passkey answered to a challenge. */
export interface Answer {
  readonly id: string;
  readonly client_data: string;
  readonly authenticator_data: string;
  readonly signature: string;
  /** Whose it is, as the device knows it. */
  readonly user_handle?: string;
}

/** Where and to what the answer must have been given. */
interface Expected {
  readonly challenge: Buffer;
  readonly origin: string;
  readonly rpId: string;
}

/** The challenge that the browser says it answers; whether it is one of ours is for others to say. */
export function challengeIn(clientData: string): Buffer | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, "base64url").toString());
    return typeof challenge === "string" ? Buffer.from(challenge, "base64url") : undefined;
  } catch {
    return undefined;
  }
}

const expectations = ({ challenge, origin, rpId }: Expected) => ({
  expectedChallenge: challenge.toString("base64url"),
  expectedOrigin: origin,
  expectedRPID: rpId,
  requireUserVerification: true,
});

/**
 * Which maker's device it is does not matter to us, so its attestation is left away before anything looks into it: certificates that a
 * stranger made up would be parsed.
 */
export async function verifyNew({ id, client_data, attestation, transports }: NewCredential, expected: Expected) {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL, isoCBOR }] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  return proof(async () => {
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestation)).get("authData");
    const plain = new Map<string, unknown>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: client_data,
          attestationObject: isoBase64URL.fromBuffer(isoCBOR.encode(plain as Parameters<typeof isoCBOR.encode>[0])),
        },
      },
      ...expectations(expected),
    });
    if (!verified || registrationInfo.credential.id !== id) return undefined;
    const { publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: Buffer.from(id, "base64url"),
      publicKey: Buffer.from(publicKey),
      counter,
      transports: [...new Set(transports)],
    };
  });
}

export async function verifyAnswer(answer: Answer, expected: Expected & { readonly publicKey: Buffer }) {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  return proof(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: answer.id,
        rawId: answer.id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: answer.client_data,
          authenticatorData: answer.authenticator_data,
          signature: answer.signature,
        },
      },
      ...expectations(expected),
      // The counter is compared where it is stored, so that of two answers at once one is told from a copy's.
      credential: { id: answer.id, publicKey: new Uint8Array(expected.publicKey), counter: 0 },
    });
    return verified ? { counter: authenticationInfo.newCounter } : undefined;
  });
}

/** The library throws for whatever is wrong with an answer, and asks nothing that could fail for other reasons. */
async function proof<Value>(verify: () => Promise<Value | undefined>): Promise<Result<Value>> {
  try {
    const value = await verify();
    return value === undefined ? refuse(NOT_PROVEN) : ok(value);
  } catch (error) {
    return refuse({ ...NOT_PROVEN, internal: String(error) });
  }
}

const NOT_PROVEN = refusal(
  "wrong_passkey",
  "The passkey's answer is not right for this site, or the device did not ask who you are. Try again, or sign in another way.",
);
