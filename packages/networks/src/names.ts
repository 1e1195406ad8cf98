/**
 * Every network by its name on the wire, with what people call it, in the order of the API. Plain data, which `api` and `portal` may
 * import alone.
 */
export const networkNames = {
  evm: 'EVM',
  bitcoin: 'Bitcoin',
  tron: 'Tron',
  cosmos: 'Cosmos',
  solana: 'Solana',
  near: 'Near',
  aptos: 'Aptos',
  stellar: 'Stellar',
} as const

/** A network's name on the wire. */
export type NetworkName = keyof typeof networkNames

/** How a sign request spells an unsigned transaction of each network, as the API's reference describes it. */
export const transactionForms: Readonly<Record<NetworkName, string>> = {
  evm: 'an object or unsigned RLP (0x hex)',
  bitcoin: 'PSBT (base64)',
  tron: 'raw_data_hex',
  cosmos: 'SignDoc, or with `sign_mode` `amino_json` the canonical sign document (base64 both)',
  solana: 'message or transaction (base64)',
  near: 'borsh (base64)',
  aptos: 'BCS (base64)',
  stellar: 'TransactionEnvelope XDR (base64)',
}

/** How `selectors` of an allowed contract name its methods on each network, with an example; null where no contract has any. */
export const selectorForms: Readonly<Record<NetworkName, { what: string; example: string } | null>> = {
  evm: { what: 'selectors', example: '0xa694fc3a' },
  bitcoin: null,
  tron: { what: 'selectors', example: '0xa694fc3a' },
  cosmos: { what: 'names of messages', example: 'withdraw' },
  solana: { what: 'first 1, 4 or 8 bytes of the data', example: '0xf223c68952e1f2b6' },
  near: { what: 'method names', example: 'deposit_and_stake' },
  aptos: { what: 'functions', example: 'pool::deposit' },
  stellar: { what: 'function names', example: 'deposit' },
}
