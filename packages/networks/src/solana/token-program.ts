import {
  called,
  emptied,
  handedOver,
  type InstructionCall,
  type Meaning,
  nothing,
  type Program,
  row,
} from './program.ts'

/** The program of SPL Token. */
export const tokenAddress = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
/** The program of Token-2022. */
export const token2022Address = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

const u64Max = 2n ** 64n - 1n

const rows = {
  0: row('initializeMint', 'decimals:u8 authority:key freeze:key?', 'mint'),
  1: row('initializeAccount', '', 'account mint owner', called, ['account', 'owner', 'mint']),
  2: row('initializeMultisig', 'required:u8', 'multisig'),
  3: row('transfer', 'amount:u64', 'source destination authority', moved),
  4: row('approve', 'amount:u64', 'source delegate authority', approved),
  5: row('revoke', '', 'source authority', (call) => ({
    ...tokens(call, 'approval', 0n, null),
    title: 'Revoke token approvals',
  })),
  6: row('setAuthority', 'type:u8 newAuthority:key?', 'account authority', (call) => ({
    ...handedOver('account', 'newAuthority', 'authority')(call),
    title: `Change the ${authorities[Number(call.arg('type'))] ?? 'authority'} of a token account or mint`,
  })),
  7: row('mintTo', 'amount:u64', 'mint destination authority'),
  8: row('burn', 'amount:u64', 'source mint authority', burned),
  9: row('closeAccount', '', 'account destination authority', (call) =>
    emptied(call, 'authority', 'destination'),
  ),
  10: row('freezeAccount', '', 'account mint authority'),
  11: row('thawAccount', '', 'account mint authority'),
  12: row('transferChecked', 'amount:u64 decimals:u8', 'source mint destination authority', moved),
  13: row('approveChecked', 'amount:u64 decimals:u8', 'source mint delegate authority', approved),
  14: row('mintToChecked', 'amount:u64 decimals:u8', 'mint destination authority'),
  15: row('burnChecked', 'amount:u64 decimals:u8', 'source mint authority', burned),
  16: row('initializeAccount2', 'owner:key', 'account mint', called, ['account', 'owner', 'mint']),
  17: row('syncNative', '', 'account', nothing),
  18: row('initializeAccount3', 'owner:key', 'account mint', called, ['account', 'owner', 'mint']),
  19: row('initializeMultisig2', 'required:u8', 'multisig'),
  20: row('initializeMint2', 'decimals:u8 authority:key freeze:key?', 'mint'),
  22: row('initializeImmutableOwner', '', 'account', nothing),
  38: row('withdrawExcessLamports', '', 'account destination authority', (call) =>
    emptied(call, 'authority', 'destination'),
  ),
} satisfies Program['rows']

/** SPL Token (docs: TokenInstruction). */
export const tokenProgram = { name: 'Token', numberBytes: 1, rows } satisfies Program

/** Token-2022: the instructions of SPL Token, those of transfer fees behind 26, and what mints are set up with. */
export const token2022Program = {
  name: 'Token-2022',
  numberBytes: 1,
  rows: {
    ...rows,
    25: row('initializeMintCloseAuthority', 'authority:key?', 'mint'),
    26: [
      row(
        'transferCheckedWithFee',
        'extension:=1 amount:u64 decimals:u8 fee:u64',
        'source mint destination authority',
        moved,
      ),
      row('withdrawWithheldTokensFromMint', 'extension:=2', 'mint destination authority'),
      row('withdrawWithheldTokensFromAccounts', 'extension:=3 count:u8', 'mint destination authority'),
      row('harvestWithheldTokensToMint', 'extension:=4', 'mint'),
    ],
    31: row('createNativeMint', '', 'payer mint'),
    32: row('initializeNonTransferableMint', '', 'mint'),
    35: row('initializePermanentDelegate', 'delegate:key', 'mint'),
  },
} satisfies Program

/** `AuthorityType`, those of single accounts and mints. */
const authorities = ['mint authority', 'freeze authority', 'owner', 'close authority']

function moved(call: InstructionCall): Meaning {
  const to = call.opened.tokensHolder(call.arg('destination'))
  const meaning = tokens(call, 'transfer', call.amount('amount'), to)
  if (meaning.asset !== null) return meaning
  return { ...meaning, warning: 'The bytes do not name the token that is sent.' }
}

function approved(call: InstructionCall): Meaning {
  const amount = call.amount('amount')
  const title = 'Approve token spending'
  const meaning = { ...tokens(call, 'approval', amount, call.arg('delegate')), title }
  if (amount < u64Max) return meaning
  const warning = `Unlimited approval: ${meaning.to} may spend all of ${meaning.asset ?? meaning.from}.`
  return { ...meaning, amount: null, warning }
}

function burned(call: InstructionCall): Meaning {
  return { ...tokens(call, 'transfer', call.amount('amount'), call.arg('mint')), title: 'Burn tokens' }
}

/** Tokens of whoever decides over the source; the mint is named, or known from the accounts that are opened. */
function tokens(
  call: InstructionCall,
  kind: 'transfer' | 'approval',
  amount: bigint,
  to: string | null,
): Meaning {
  const asset =
    call.arg('mint') ||
    (call.opened.mintOf(call.arg('source')) ?? call.opened.mintOf(call.arg('destination')))
  return { kind, asset, amount, from: call.controller('authority'), to, decimals: call.arg('decimals') }
}
