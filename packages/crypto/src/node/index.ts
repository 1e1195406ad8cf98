/** What needs `node:crypto`: envelopes, key rings, the key file, keyed hashes. All synchronous. */

export { gcmOpen, gcmOverhead, gcmSeal } from './aes-gcm.ts'
export { agentTokenKey } from './agent-token-key.ts'
export { FrameError, type FrameSplitter, frame, frameBytesMax, frameSplitter } from './channel-frames.ts'
export {
  clientHelloBytes,
  clientKeyBytes,
  decodeClientHello,
  decodeClientKey,
  decodeEnclaveHello,
  type EnclaveFacts,
  type EnclaveHello,
  encodeClientHello,
  encodeEnclaveHello,
  helloBinding,
  helloNonce,
  helloNoncesMax,
  helloTranscript,
} from './channel-handshake.ts'
export {
  type ApiKey,
  type ChannelKeys,
  type ChannelOffer,
  joinChannel,
  offerChannel,
} from './channel-keys.ts'
export { abandonMessage, beginMessage, eachMessage, endMessage } from './channel-messages.ts'
export {
  type ChannelDirection,
  nodeRecordCipher,
  type RecordCipher,
  RecordError,
  recordBytesMax,
  recordOpener,
  recordSealer,
} from './channel-record.ts'
export { deriveKey } from './derive-key.ts'
export {
  openEnvelope,
  type ParsedEnvelope,
  parseEnvelope,
  rewrapEnvelope,
  sealEnvelope,
} from './envelope.ts'
export { contextBytes, type EnvelopeContext } from './envelope-context.ts'
export { EnvelopeError, type EnvelopeErrorCode } from './envelope-error.ts'
export {
  aadContextStart,
  type EnvelopeLayout,
  envelopeAad,
  envelopeLayout,
  joinEnvelope,
} from './envelope-layout.ts'
export { type HpkeRecipient, hpkeRecipient, hpkeSeal, isP256Point, p256PointBytes } from './hpke-p256.ts'
export { type KeyFile, makeKeyFile, openKeyFile } from './key-file.ts'
export { KeyFileError, type KeyFileErrorCode } from './key-file-error.ts'
export { createPrivateFile, fileStamp, readPrivateFile, replacePrivateFile } from './key-file-storage.ts'
export { type KeyPurpose, keyPurposes } from './key-purpose.ts'
export { type DataKey, type KeyRing, type KeyRingInput, keyRing } from './key-ring.ts'
export { keyedHash } from './keyed-hash.ts'
export {
  isApiJwk,
  isOperatorJwk,
  type Manifest,
  type ManifestContent,
  ManifestError,
  readManifest,
} from './manifest/manifest.ts'
export { assertFollows, firstManifest, nextManifest, readManifestChain } from './manifest/manifest-chain.ts'
export { giveOrder, type NewOrder, type OperatedEnclave, operatedEnclave } from './operator/give-order.ts'
export {
  OperatorFrameError,
  openOperatorFrame,
  operatorFrameBytesMax,
  sealOperatorFrame,
} from './operator/operator-frame.ts'
export {
  type BootState,
  formatOperatorMessage,
  type OperatorMessage,
  type OperatorOrder,
  type OperatorOrderName,
  type OperatorState,
  operatorOrders,
  orderSigners,
  readBootState,
  readOperatorMessage,
  type SignedOrder,
  signersMin,
  signOrder,
} from './operator/operator-order.ts'
export * from './wire.ts'
export * from './wire-agent.ts'
export * from './wire-attest.ts'
export * from './wire-enclave.ts'
export * from './wire-marks.ts'
export * from './wire-note.ts'
export * from './wire-operator.ts'
export * from './wire-receipt.ts'
export * from './wire-transfer.ts'
export { type WrappedKey, wrappedKeyAad } from './wrapped-key.ts'
