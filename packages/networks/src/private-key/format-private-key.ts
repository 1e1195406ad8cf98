import type { Curve } from '../chain.ts'
import { invalidRequest } from '../network-error.ts'
import type { Networks } from '../network-set.ts'
import { isPrivateKey, publicKeyOf } from './secret-key.ts'

/** A private key as the wallets of one network import it; `label` says to a person what the text is. */
export type PrivateKeyText = { readonly network: string; readonly label: string; readonly text: string }

/**
 * A key of 32 bytes in the text of each network of its curve, as its `PrivateKeyForm` writes it.
 * The texts are strings, which nobody can wipe: ask for them only to show them. `NetworkError('invalid_request')` for
 * bytes that are not a key of the curve.
 */
export function formatPrivateKey(networks: Networks, curve: Curve, key: Uint8Array): PrivateKeyText[] {
  if (!isPrivateKey(curve, key)) throw invalidRequest('This is not a private key.')
  const publicKey = publicKeyOf(curve, key)
  return networks.list
    .filter((network) => network.curve === curve)
    .map(({ name, privateKey: { label, format } }) => ({
      network: name,
      label,
      text: format(key, publicKey),
    }))
}
