import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Session, sessions } from './session.ts'
import { memoryTokenStore, sessionTokenStore } from './token-store.ts'

const tokenUntil = (atMs: number, claims = {}) =>
  `e30.${Buffer.from(JSON.stringify({ exp: atMs / 1000, ...claims })).toString('base64url')}.x`
const at = Date.UTC(2030, 0, 1)

beforeEach(() => {
  vi.useFakeTimers({ now: at })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a login', () => {
  test('ends by itself when its token does, even months later', () => {
    const logins = sessions(memoryTokenStore, Date.now)
    const seen: Session[] = []
    logins.onChange((session) => seen.push(session))
    const days = 60 * 24 * 3_600_000
    logins.start(tokenUntil(at + days))
    vi.advanceTimersByTime(days - 1_000)
    expect(logins.token()).not.toBeNull()
    vi.advanceTimersByTime(1_000)
    expect(logins.token()).toBeNull()
    expect(seen.at(-1)).toEqual({ status: 'signed_out', reason: 'expired' })
  })

  test('keeps one state object until something changes', () => {
    const logins = sessions(memoryTokenStore, Date.now)
    logins.start('t')
    const before = logins.state()
    logins.name('t', { userIdentityId: 'u', email: null })
    const named = logins.state()
    expect(named).not.toBe(before)
    logins.name('t', { userIdentityId: 'u', email: null })
    logins.name('older', { userIdentityId: 'v', email: null })
    expect(logins.state()).toBe(named)
  })

  test('is not ended by the answer to an older token', () => {
    const logins = sessions(memoryTokenStore, Date.now)
    logins.start('old')
    logins.start('new')
    logins.end('ended', 'old')
    expect(logins.token()).toBe('new')
  })

  test('reads email and end of its token, and takes one that it cannot read', () => {
    const logins = sessions(memoryTokenStore, Date.now)
    logins.start(tokenUntil(at + 1_000, { email: 'ä@example.test' }))
    expect(logins.state()).toMatchObject({ email: 'ä@example.test', expiresAt: new Date(at + 1_000) })
    for (const opaque of ['opaque', 'a.b.c', `e30.${btoa('null')}.x`, `e30.${btoa('{"exp":"1"}')}.x`]) {
      logins.start(opaque)
      expect(logins.state()).toMatchObject({ status: 'signed_in', email: null, expiresAt: null })
    }
  })
})

describe('a token in the session storage', () => {
  const storage = (items: Map<string, string>) => ({
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  })

  test('that has expired meanwhile is deleted and logs nobody in', () => {
    const items = new Map([['symbolon.token.pk', tokenUntil(at - 1)]])
    expect(sessions(sessionTokenStore(storage(items), 'pk'), Date.now).state().status).toBe('signed_out')
    expect(items.size).toBe(0)
  })

  test('of another organization is not taken', () => {
    const items = new Map([['symbolon.token.other', tokenUntil(at + 1_000)]])
    expect(sessions(sessionTokenStore(storage(items), 'pk'), Date.now).token()).toBeNull()
  })

  test('may be refused: the login then lives in memory', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    const store = sessionTokenStore({ getItem: refuse, setItem: refuse, removeItem: refuse }, 'pk')
    const logins = sessions(store, Date.now)
    logins.start('t')
    expect(logins.token()).toBe('t')
  })
})
