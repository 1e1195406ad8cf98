import { recoverMessageAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { recoverAddress } from './recover-address.ts'

const text = (message: string) => new TextEncoder().encode(message)

test('the signer of a message is recovered as viem recovers it, for either parity', async () => {
  for (let i = 0; i < 12; i++) {
    const account = privateKeyToAccount(generatePrivateKey())
    const message = `message ${i}`
    const signature = await account.signMessage({ message })
    expect(recoverAddress(text(message), signature)).toBe(account.address.toLowerCase())
    const other = await recoverMessageAddress({ message: 'other', signature })
    expect(recoverAddress(text('other'), signature)).toBe(other.toLowerCase())
    const zeroBased = `${signature.slice(0, -2)}0${Number.parseInt(signature.slice(-2), 16) - 27}`
    expect(recoverAddress(text(message), zeroBased)).toBe(account.address.toLowerCase())
  }
})

test('what is no signature recovers nobody', () => {
  const [zero, one] = ['00'.repeat(32), `${'00'.repeat(31)}01`]
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  // There is no point of the curve with x = 5.
  const five = `${'00'.repeat(31)}05`
  for (const parts of [
    [zero, one, '1b'],
    [one, zero, '1b'],
    [order, one, '1b'],
    [one, order, '1b'],
    [one, one, '1d'],
    [one, one, '02'],
    [five, one, '1b'],
    [one, one],
  ])
    expect(recoverAddress(text('x'), `0x${parts.join('')}`), parts.join(' ')).toBeUndefined()
})
