import { type InstructionCall, type Meaning, type Program, paid, row } from './program.ts'
import { token2022Address } from './token-program.ts'

/** Its address. */
export const associatedTokenAddress = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

const accounts = 'payer account owner mint system tokenProgram'
const opens = ['account', 'owner', 'mint'] as const

/**
 * The Associated Token program: opens the token account that an owner and a mint make, at the payer's cost. Its
 * accounts' `tokenProgram` is one of the two known ones, or the instruction is unknown.
 */
export const associatedTokenProgram = {
  name: 'Associated Token',
  numberBytes: 1,
  rows: {
    0: row('createAssociatedTokenAccount', '', accounts, opened, opens),
    1: row('createAssociatedTokenAccountIdempotent', '', accounts, opened, opens),
    2: row('recoverNested', '', 'nested nestedMint destination ownerAccount mint owner tokenProgram'),
  },
} satisfies Program

/**
 * What an account of so many bytes must hold: (128 + bytes) * 3,480 lamports * 2 years. SPL Token's have 165 bytes;
 * what Token-2022 adds when it opens one (type, immutable owner, fee, non-transferable, hook, pausable) fits in 36.
 */
const rentOf = (bytes: bigint) => (128n + bytes) * 6_960n

function opened(call: InstructionCall): Meaning {
  const rent = rentOf(call.arg('tokenProgram') === token2022Address ? 201n : 165n)
  return { ...paid(call, call.arg('payer'), 'account', rent), title: 'Open a token account' }
}
