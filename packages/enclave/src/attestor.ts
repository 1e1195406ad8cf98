/** What an attestation document shall carry, as the Nitro Secure Module names it. */
export type AttestationRequest = { publicKey: Uint8Array; nonce: Uint8Array; userData: Uint8Array }

/** Who makes attestation documents for this process: the Nitro Secure Module, or its simulation in development. */
export type Attestor = { attest(request: AttestationRequest): Promise<Uint8Array> }
