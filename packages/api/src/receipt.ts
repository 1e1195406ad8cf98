import * as z from 'zod'

/** Asks for a receipt with a signature. */
export const WantsReceipt = z.boolean().meta({
  description:
    'Asks the enclave for a receipt of the signature. If the setting `receipts` of the organization is on, every signature has one, even with `false` here. A dry run has none.',
})

/** A receipt of a signature, as the enclave made it. */
export const SignatureReceipt = z.string().meta({
  description:
    'The receipt: a compact JWS (EdDSA) that the enclave signed, stored before the signature left. Verify it with `node verify.js receipt` (guide: Verify the enclave).',
})
