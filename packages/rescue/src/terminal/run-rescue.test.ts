import { splitSecret } from '@symbolon/crypto'
import { publicKeyOf } from '@symbolon/networks/private-key'
import { walletAddresses } from '@symbolon/networks/testing/by-intent'
import { expect, test } from 'vitest'
import { InputEnded } from './line-reader.ts'
import { runRescue } from './run-rescue.ts'

const key = Uint8Array.from({ length: 32 }, (_, index) => index * 7 + 1)
const evm = walletAddresses('secp256k1', publicKeyOf('secp256k1', key))['evm'] ?? ''
const shares = splitSecret(key, [1, 2], (length) => new Uint8Array(length).fill(7)).map((share) =>
  Buffer.from(share).toString('base64'),
)

/** Runs the program at a terminal where a person answers with these lines. */
async function answered(...lines: string[]): Promise<{ code: number; said: string; printed: string }> {
  const given = [...shares, ...lines]
  let said = ''
  let printed = ''
  const code = await runRescue([], {
    isInteractive: true,
    reader: {
      async line() {
        const line = given.shift()
        if (line === undefined) throw new InputEnded()
        return line
      },
      close: () => undefined,
    },
    say: (text) => {
      said += text
    },
    print: (text) => {
      printed += text
    },
    readFile: () => '',
    writeNewFile: () => undefined,
  })
  return { code, said, printed }
}

test('a mistyped address is reported, and asked for again', async () => {
  const { code, said, printed } = await answered('y', evm.slice(0, -1), evm, 'show')
  expect(code).toBe(0)
  expect(said.match(/This is not an address\./g)).toHaveLength(2)
  expect(said).not.toContain('WARNING')
  expect(printed).toContain(Buffer.from(key).toString('hex'))
})

test('the address of another wallet ends it: a second guess would not make the shares right', async () => {
  const { code, said } = await answered('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', evm, 'show')
  expect(code).toBe(1)
  expect(said).toContain('The shares do not rebuild the key of this wallet')
})

test('a wrong answer to which networks is asked again', async () => {
  const { code, said, printed } = await answered('', 'ethereum', '3', '1', 'show')
  expect(code).toBe(0)
  expect(said.match(/Was it a wallet for/g)).toHaveLength(3)
  expect(printed).toContain(Buffer.from(key).toString('hex'))
})

test('a person who has had enough of the questions can leave', async () => {
  expect(await answered('y', 'y')).toMatchObject({ code: 130, printed: '' })
  expect(await answered('', 'y')).toMatchObject({ code: 130, printed: '' })
})
