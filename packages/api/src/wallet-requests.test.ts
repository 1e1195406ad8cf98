import { expect, test } from 'vitest'
import { CreateWallet, CreateWalletFor, CreateWallets } from './create-wallet.ts'
import { StartEmailOtp, VerifyEmailOtp } from './routes/auth.ts'
import { ListWallets } from './wallet-list.ts'

const share = Buffer.alloc(33, 1).toString('base64')

test('a wallet can be asked for with nothing, with its curve, or with all client-mode fields', () => {
  for (const body of [
    {},
    { curve: 'ed25519', account_type: 'eoa', chain_type: 'solana' },
    {
      curve: 'secp256k1',
      address: `0x${'00'.repeat(20)}`,
      public_key: `0x02${'11'.repeat(32)}`,
      provider_share: share,
      provider_share_index: 1,
      recovery_share: share,
      recovery_share_index: 255,
    },
  ]) {
    expect(CreateWallet.parse(body)).toEqual(body)
  }
})

test.each([
  [{ account_type: 'smart' }],
  [{ curve: null }],
  [{ chain_type: 'doge' }],
  [{ provider_share_index: 0 }],
  [{ provider_share_index: 256 }],
  [{ provider_share_index: 1.5 }],
  [{ provider_share_index: '1' }],
  [{ provider_share: 'not base64' }],
  [{ public_key: '02ff' }],
  [{ user_identity_id: 'x' }],
  [JSON.parse('{"__proto__":{}}')],
  [[]],
  [null],
])('a wallet is refused with %j', (body) => {
  expect(CreateWallet.safeParse(body).success).toBe(false)
})

test('a wallet for a user names the user in exactly one way', () => {
  const accepts = (body: object) => CreateWalletFor.safeParse(body).success
  expect(accepts({ email: 'a@example.test' })).toBe(true)
  expect(accepts({ provider_user_id: 'sub|1', curve: 'ed25519' })).toBe(true)
  expect(accepts({})).toBe(false)
  expect(accepts({ email: 'a@example.test', provider_user_id: 'sub|1' })).toBe(false)
  expect(accepts({ provider_user_id: 'a\0b' })).toBe(false)
  expect(accepts({ provider_user_id: '' })).toBe(false)
  expect(accepts({ email: 'a@example.test', address: '0x' })).toBe(false)
})

test('a batch has 1 to 100 items', () => {
  const items = (n: number) => ({
    items: Array.from({ length: n }, (_, i) => ({ email: `u${i}@example.test` })),
  })
  expect([0, 1, 100, 101].map((n) => CreateWallets.safeParse(items(n)).success)).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('a page is 50 from the start unless asked otherwise', () => {
  expect(ListWallets.parse({})).toEqual({ limit: 50, offset: 0 })
  expect(ListWallets.parse({ limit: '200', offset: '999999' })).toEqual({ limit: 200, offset: 999_999 })
})

test('an offset is any whole number that JSON holds exactly; the error for others names the bounds', () => {
  expect(ListWallets.parse({ offset: '9007199254740991' }).offset).toBe(Number.MAX_SAFE_INTEGER)
  for (const offset of ['9007199254740992', '-1', '1.5', '9'.repeat(400)]) {
    const messages = ListWallets.safeParse({ offset }).error?.issues.map(({ message }) => message)
    expect(new Set(messages)).toEqual(new Set(['must be a whole number of at least 0']))
  }
})

test.each([
  [{ limit: '0' }],
  [{ limit: '201' }],
  [{ limit: '-1' }],
  [{ limit: '1.5' }],
  [{ limit: '1e2' }],
  [{ limit: '0x10' }],
  [{ limit: ' 5' }],
  [{ limit: '05' }],
  [{ limit: '' }],
  [{ limit: ['1', '2'] }],
  [{ limit: 'NaN' }],
  [{ offset: '-1' }],
  [{ offset: '9'.repeat(30) }],
  [{ status: 'deleted' }],
  [{ curve: '' }],
  [{ user_identity_id: 'x' }],
  [{ email: 'x' }],
  [{ statsu: 'active' }],
])('a page is refused, never clamped, with %j', (query) => {
  expect(ListWallets.safeParse(query).success).toBe(false)
})

test('a login code is six ASCII digits as text', () => {
  const accepts = (code: unknown) => VerifyEmailOtp.safeParse({ email: 'a@example.test', code }).success
  expect(accepts('000000')).toBe(true)
  for (const code of ['12345', '1234567', '12345a', ' 123456', '123456\n', '１２３４５６', 123456, null]) {
    expect(accepts(code), String(code)).toBe(false)
  }
  expect(StartEmailOtp.safeParse({ email: 'a@example.test', code: '123456' }).success).toBe(false)
})
