import { createNoopSigner, type Instruction } from '@solana/kit'
import { getAdvanceNonceAccountInstruction } from '@solana-program/system'
import * as token from '@solana-program/token'
import { describe, expect, test } from 'vitest'
import { decodeForAgent } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { accounts, own, sol } from '../testing/solana-effects.ts'
import { kitTransaction, wireBytes } from '../testing/solana-transaction.ts'
import { nothing } from './program.ts'
import { programs } from './programs.ts'

const { destination, mint, other } = accounts
const stranger = createNoopSigner(other)

function trapOf(...instructions: readonly Instruction[]) {
  const bytes = wireBytes(kitTransaction(instructions, own))
  const intent = { kind: 'transaction', network: 'solana', chain: 'solana', bytes } as const
  return decodeForAgent(intent, 'ed25519', testKey('ed25519', 1).publicKey).trap
}

test('a durable nonce of somebody else with a byte behind it is refused, whoever lists the System program', () => {
  const advance = getAdvanceNonceAccountInstruction({ nonceAccount: destination, nonceAuthority: stranger })
  expect(trapOf(advance, sol(1n))).toBe('account_admin_not_allowed')
  const data = Uint8Array.from([...advance.data, 0])
  expect(trapOf({ ...advance, data }, sol(1n))).toBe('payload_undecodable')
})

describe('instructions without an effect of their own', () => {
  test('are allowed for an agent where they open an account or wrap SOL', () => {
    const opening = [
      token.getInitializeAccountInstruction({ account: destination, mint, owner: own }),
      token.getInitializeAccount2Instruction({ account: destination, mint, owner: own }),
      token.getInitializeAccount3Instruction({ account: destination, mint, owner: own }),
      token.getInitializeImmutableOwnerInstruction({ account: destination }),
      token.getSyncNativeInstruction({ account: destination }),
    ]
    for (const instruction of opening) expect(trapOf(sol(1n), instruction)).toBeNull()
  })

  test('are no others than those that prepare accounts, wrap SOL, or are refused as nonces and stakes', () => {
    const rows = Object.values(programs).flatMap((program) => Object.values(program.rows).flat())
    const silent = rows.flatMap(({ name, rule }) => (rule === nothing ? [name] : []))
    expect([...new Set(silent)].sort()).toEqual([
      'advanceNonce',
      'initialize',
      'initializeChecked',
      'initializeImmutableOwner',
      'initializeNonce',
      'syncNative',
    ])
  })
})
