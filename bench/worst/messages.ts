import { otherBytes, roomFor, type WorstBody } from './worst-body.ts'

const chains = ['ethereum', 'bitcoin', 'tron', 'cosmoshub', 'solana', 'near', 'aptos', 'stellar'] as const

const message = (chain: string, name: string, text: string, more: object = {}): WorstBody => ({
  name: `message: ${name}`,
  body: { type: 'message', chain, message: text, ...more },
})

/** Messages of 64 KiB, of each network; what a network refuses is refused soon. */
export const worstMessages = (chain: (typeof chains)[number]): WorstBody[] => [
  message(chain, '64 KiB of letters', 'x'.repeat(roomFor(otherBytes, 1))),
  message(chain, '64 KiB of emoji', '\u{1F680}'.repeat(roomFor(otherBytes, 4))),
  message(chain, '64 KiB of padding', `${'='.repeat(roomFor(otherBytes, 1) - 1)}x`),
  message(chain, '64 KiB of an unfinished key text', 'deriv a '.repeat(roomFor(otherBytes, 8))),
  message(chain, '32 KiB in hex', `0x${'41'.repeat(roomFor(otherBytes, 2) - 1)}`, { encoding: 'hex' }),
  message(
    chain,
    '48 KiB in base64',
    Buffer.alloc(Math.floor(roomFor(otherBytes, 4) * 3), 0x41).toString('base64'),
    {
      encoding: 'base64',
    },
  ),
]
