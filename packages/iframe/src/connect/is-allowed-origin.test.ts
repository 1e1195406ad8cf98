import { describe, expect, test } from 'vitest'
import { isAllowedOrigin } from './is-allowed-origin.ts'

const rule = {
  allowedOrigins: ['https://shop.example', 'http://shop.example:8080', 'null'],
  areLoopbackOriginsAllowed: false,
  ownOrigin: 'https://wallet.example',
}

describe('only allowed origins talk to the frame', () => {
  test('an origin of the list and the own one, exactly', () => {
    for (const origin of ['https://shop.example', 'http://shop.example:8080', 'https://wallet.example'])
      expect(isAllowedOrigin(origin, rule)).toBe(true)
  })

  test.each([
    'http://shop.example',
    'https://shop.example:8443',
    'https://shop.example.',
    'https://www.shop.example',
    'https://evilshop.example',
    'https://shop.example.evil.test',
    'HTTPS://SHOP.EXAMPLE',
    'https://shop.example/',
    'http://localhost:3000',
    'null',
    '',
  ])('nobody else: %j', (origin) => {
    expect(isAllowedOrigin(origin, rule)).toBe(false)
  })

  test('loopback pages only where they are allowed, and only real ones', () => {
    const open = { ...rule, areLoopbackOriginsAllowed: true }
    const good = [
      'http://localhost',
      'http://localhost:3000',
      'http://shop.localhost:1',
      'http://127.0.0.1:8080',
    ]
    for (const origin of [...good, 'http://[::1]:80']) {
      expect(isAllowedOrigin(origin, open)).toBe(true)
      expect(isAllowedOrigin(origin, rule)).toBe(false)
    }
    const bad = ['http://localhost.evil.test', 'http://notlocalhost', 'http://127.0.0.1.evil.test', 'null']
    for (const origin of [...bad, 'http://127.0.0.2', 'https://localhost.', 'http://user@localhost'])
      expect(isAllowedOrigin(origin, open)).toBe(false)
  })
})
