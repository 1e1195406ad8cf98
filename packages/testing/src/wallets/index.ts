/**
 * Keys of client wallets: making, splitting and rebuilding them as a browser would, and moving them in and
 * out.
 */
export {
  base64,
  type ClientKey,
  completionBody,
  creationBody,
  hex,
  makeClientWallet,
  newClientKey,
  rebuilt,
  recoverySteps,
  refreshBody,
  refreshSignature,
  type Shares,
  split,
} from './client-key.ts'
export { outcome, publicKeyOf, transferSteps } from './key-transfer.ts'
