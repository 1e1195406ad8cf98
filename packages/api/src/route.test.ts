import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { errors } from './errors.ts'
import { declares, errorsOf, takesIdempotencyKey } from './route.ts'
import { routes } from './routes.ts'

test('a route declares its own errors and those of its lane, method, scope and limit, each once', () => {
  const codes = errorsOf(routes.archiveWallet)
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of ['wallet_not_found', 'not_found', 'insufficient_scope', 'ip_not_allowed'] as const) {
    expect(declares(routes.archiveWallet, code), code).toBe(true)
  }
  for (const code of ['wallet_exists', 'invalid_code', 'token_revoked'] as const) {
    expect(declares(routes.archiveWallet, code), code).toBe(false)
  }
  expect(declares(routes.getWallet, 'insufficient_scope')).toBe(false)
  expect(declares(routes.listMyWallets, 'rate_limited')).toBe(false)
  expect(declares(routes.signMine, 'rate_limited')).toBe(true)
})

test('every route that takes an idempotency key can find it spent: its first answer was lost, or bore a credential', () => {
  const spending = Object.values(routes).filter((route) => declares(route, 'idempotency_key_spent'))
  expect(spending).toEqual(Object.values(routes).filter(takesIdempotencyKey))
  expect(declares(routes.createWalletFor, 'idempotency_key_spent')).toBe(true)
})

test('an error answers with the status and message of its code', () => {
  const error = new ApiError('wallet_archived')
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    code: 'wallet_archived',
    ...errors.wallet_archived,
    details: undefined,
    data: undefined,
  })
})

test('details for operators are kept apart from the answer', () => {
  const cause = new Error('connection refused')
  const error = new ApiError('unavailable', { detail: { host: 'database' }, cause, retryAfterSeconds: 2 })
  expect(error.message).toBe(errors.unavailable.message)
  expect(error).toMatchObject({
    detail: { host: 'database' },
    cause,
    retryAfterSeconds: 2,
    details: undefined,
  })
  expect(new ApiError('invalid_payload', { message: 'The message is not UTF-8.' }).message).toBe(
    'The message is not UTF-8.',
  )
})
