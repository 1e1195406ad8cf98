import { worstMessages } from './messages.ts'
import { times, type WorstBody } from './worst-body.ts'

const packetBytes = 1232
const blockhash = times(32, () => 9)
const compact = (n: number) => (n < 128 ? [n] : [(n & 127) | 128, n >> 7])

/** A legacy message of the first key's account: its keys, of which the last `readonly` are not written to, and its instructions. */
export const solanaFrame = (keys: number[][], readonly: number, instructions: number[][]): number[] => [
  1,
  0,
  readonly,
  ...compact(keys.length),
  ...keys.flat(),
  ...blockhash,
  ...compact(instructions.length),
  ...instructions.flat(),
]

/** Solana transactions fit a packet of 1,232 bytes: as many instructions, and as many accounts of one, as that holds. */
export function worstSolana(publicKey: Uint8Array): WorstBody[] {
  const body = (name: string, bytes: readonly number[]): WorstBody => ({
    name: `transaction: ${name}`,
    body: { type: 'transaction', chain: 'solana', transaction: Buffer.from(bytes).toString('base64') },
  })
  const key = (n: number) => times(32, (i) => (i === 0 ? n + 1 : 0))
  const system = times(32, () => 0)
  const transfer = [1, 2, 0, 0, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
  const transfers = times(58, () => transfer)
  const few = [...publicKey]
  const accounts = times(30, key)
  const spread = { program: 31, accounts: times(60, (i) => i % 31) }
  const room = packetBytes - 65
  return [
    body('58 transfers', solanaFrame([few, system], 1, transfers)),
    body(
      '30 accounts and an instruction that names them twice',
      solanaFrame([few, ...accounts, system], 1, [
        [spread.program, ...compact(60), ...spread.accounts, 0],
      ]).slice(0, room),
    ),
    body(
      '64 calls without data',
      solanaFrame(
        [few, system],
        1,
        times(64, () => [1, 0, 0]),
      ),
    ),
    ...worstMessages('solana'),
    {
      name: 'message: 64 KiB, bare',
      body: { type: 'message', chain: 'solana', scheme: 'raw', message: 'x'.repeat(64_000) },
    },
  ]
}
