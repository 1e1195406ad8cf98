import { hostileTexts, leastCpuMs } from '@symbolon/testing/properties'
import { createSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { isKeyText } from './key-text.ts'
import { readSignIn } from './sign-in.ts'

/** Generous: what it is about costs ten times more. */
const cpuMsMax = 40
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const key = 'GsbwXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW'
const made = (change: Partial<Parameters<typeof createSiweMessage>[0]> = {}) =>
  createSiweMessage({
    address,
    chainId: 1,
    domain: 'app.example',
    nonce: 'abcdefgh1',
    uri: 'https://app.example/login',
    version: '1',
    ...change,
  })
const solana = (...more: string[]) =>
  [`app.example wants you to sign in with your Solana account:`, key, ...more].join('\n')

describe('a sign-in message', () => {
  test.each([
    ['as it is', made(), 'app.example'],
    ['with a statement', made({ statement: 'I accept: https://evil.example/tos' }), 'app.example'],
    [
      'with every field',
      made({ requestId: 'r', resources: ['https://a.example'], scheme: 'https' }),
      'app.example',
    ],
    ['with a port', made({ domain: 'localhost:3000', uri: 'http://localhost:3000' }), 'localhost:3000'],
    [
      'behind a scheme of any length',
      made().replace('app.example', `${'a'.repeat(1030)}://app.example`),
      'app.example',
    ],
    ['in other letters', made().replace('app.example', 'App.Example'), 'app.example'],
  ])('logs in where its first line says, %s', (_, text, domain) => {
    expect(readSignIn(text, address)).toEqual({ domain })
  })

  test.each([
    ['for another address', made({ address: other })],
    ['with a URI of another host', made({ uri: 'https://evil.example' })],
    ['with a URI of a host behind a name', made().replace('https://app', 'https://app.example@evil')],
    ['without its fields', made().split('\n').slice(0, 2).join('\n')],
    ['in capitals', made().replace('wants you', 'WANTS YOU').replace('account:', 'account')],
    ['behind an empty line', `\n${made()}`],
    ['with ends of lines of another kind', made().replaceAll('\n', '\r\n')],
    ['with a second URI', made().replace('Version', 'URI: https://evil.example\nVersion')],
    ['with a name before its domain', made().replace('app.example', 'app.example@evil.example')],
    ['behind a name of any length', made().replace('app.example', `${'a'.repeat(60_000)}@app.example`)],
    ['for more than its first line', made().replace('account:', 'account: now')],
  ])('logs in nowhere that is certain, %s', (_, text) => {
    expect(readSignIn(text, address)).toEqual({ domain: null })
  })

  test('of Solana may lack all but its address', () => {
    const uri = 'URI: https://app.example'
    for (const text of [
      solana(),
      solana('', 'hello'),
      solana('', uri),
      solana('', 'hello', '', uri, 'Nonce: 1'),
    ])
      expect(readSignIn(text, key)).toEqual({ domain: 'app.example' })
    expect(readSignIn(solana('', 'URI: https://evil.example'), key)).toEqual({ domain: null })
    expect(readSignIn(solana().replace(key, address), key)).toEqual({ domain: null })
  })

  test('is none where its first line does not begin like one', () => {
    for (const text of ['hello', '', `He said: who\nwants you to sign in with your Ethereum account:`])
      expect(readSignIn(text, address)).toBeUndefined()
  })
})

test.each([
  'Access zkSync account.\n\nOnly sign this message for a trusted client!',
  'Sign this message to generate your Aztec Spending Key. This key lets the application spend your funds.',
  'Sign this message to generate your Fluidkey private payment keys.',
  'Sign to derive a key',
  'Please sign to unlock your account seed',
  'This signature derives the private key of your L2 wallet',
  'XMTP : Create Identity\n0a86…',
  'Action: dYdX STARK Key',
  'Allow this account to control your identity',
  'Add this account as a Ceramic authentication method',
  'This app wants to view and update your 3Box profile.',
  'Enable Push Profile \nab12',
  'Sign this message to access DeGate: 0x12 with key nonce: 0',
  'By signing this message, the signature becomes the seed of your account.',
  'You are proving you own this wallet, signature becomes seed of your account',
  'By signing you agree that this is used as the seed of a wallet',
  'This signature will be used to decrypt your wallet. Do not sign elsewhere',
  'Your signature serves as entropy for your notes',
  'Connect to Railgun: this signature generates your 0zk wallet',
  'Sign this message to generate your Tornado account',
  'Create deterministic wallet from signature',
  'Your keys are derived from your signature.',
  'The application will be able to spend \nyour shielded assets.',
  'IMPORTANT:\nOnly sign the message if you trust this\n application.',
  'Sign this message to\n  generate your private\n  payment keys.',
  'Sign to de\u200brive a key',
  'Sign this message to generate your stealth address keys.',
  'Sign to activate your Private Wallet.\n\nThis creates your private receiving address and claim wallets.',
  'QuantaSeal Dilithium seed for 0x1111111111111111111111111111111111111111',
  'eshare encryption key v1 for 0x1111111111111111111111111111111111111111',
  'Sign to access Nudge stealth mode',
  'Sign this message to derive your Acme key',
  'Sign this message to generate your Elusiv seed',
  'Login to Hinkal Protocol',
  'Authorize your account: generates trading credentials',
])('the text “%s” asks for a key', (text) => {
  expect(isKeyText([text])).toBe(true)
})

test.each([
  'hello',
  'I agree to the terms',
  'Generate the report. The key points are below.',
  'Order 7: create two invoices',
  'Sign this message to create your account',
  'This request will not trigger a blockchain transaction. The signature is free.',
  'By signing, you accept the terms. Never share your seed phrase.',
  'This signature proves that you own this wallet. Your key stays with you.',
])('the text “%s” does not', (text) => {
  expect(isKeyText([text])).toBe(false)
})

test('a text may begin in one part and end in the next, however the rest is long', () => {
  const rest = 'and so on '.repeat(6_000)
  expect(isKeyText([`${rest}. Sign this to derive`, `a key. ${rest}`])).toBe(true)
  expect(isKeyText([rest, 'Sign this to derive', `a key. ${rest}`])).toBe(true)
  const start = 'This derives for you and all of your friends in this place'
  expect(isKeyText([`${rest}. ${start}`, `your private spending key. ${rest}`])).toBe(true)
  expect(isKeyText([`${rest}. ${start} your`, `private spending key. ${rest}`])).toBe(true)
  expect(isKeyText([`${rest}. Sign this to derive.`, `A key. ${rest}`])).toBe(false)
})

const longest = 65_536
const repeated = (part: string) => part.repeat(longest / part.length)

test.each([
  ...['derive a your the ', 'signature ', 'becomes ', 'derive from your ', 'generate your '].map(repeated),
  ...['a', 'wants you to sign in ', 'a wants you to sign in with your b', ' ', 'a\n', 'a://', 'a:/'].map(
    repeated,
  ),
  // Longer than any message, so that what is read again and again takes longer than all else.
  ...['derive ', 'creat '].map((word) => `${word.repeat(9)}${repeated('a ').repeat(4)}`),
  ...[3, 12, 25, 50].map((words) => repeated(`${'deriv '.repeat(9)}${'a '.repeat(words)}`)),
  repeated('deriv a '),
  ...hostileTexts(longest).map(({ text }) => text),
])('the long text “%.20s…” is read in no time', (text) => {
  expect(leastCpuMs(() => isKeyText([text]), cpuMsMax)).toBeLessThanOrEqual(cpuMsMax)
  expect(leastCpuMs(() => readSignIn(text, address), cpuMsMax)).toBeLessThanOrEqual(cpuMsMax)
})
