/** Private keys and addresses as text, apart from the rest of the networks: only the vault and the rescue tool load it. */

export { formatPrivateKey, type PrivateKeyText } from './format-private-key.ts'
export { isAddress } from './is-address.ts'
export { parsePrivateKey } from './parse-private-key.ts'
export { isPrivateKey, publicKeyOf } from './secret-key.ts'
