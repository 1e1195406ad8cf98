import { describe, expect, test } from 'vitest'
import { pageAcceptor, type WindowMessage } from './accept-page.ts'

const parent = { name: 'parent' }
const opening = { type: 'symbolon:connect', version: 1, nonce: 'A'.repeat(22) }

function acceptor() {
  const posted: unknown[] = []
  const port = {
    postMessage: (message: unknown) => void posted.push(message),
    addEventListener: () => {},
    start: () => {},
    close: () => void posted.push('closed'),
  }
  const accept = pageAcceptor({
    parent,
    ownOrigin: 'https://wallet.example',
    allowedOrigins: ['https://shop.example'],
    areLoopbackOriginsAllowed: false,
    newSession: () => 'session-1',
  })
  const good: WindowMessage = { data: opening, origin: 'https://shop.example', source: parent, ports: [port] }
  return { accept, port, posted, good }
}

describe('the door of the frame', () => {
  test('the embedding page of an allowed origin is let in, its nonce echoed', () => {
    const { accept, port, posted, good } = acceptor()
    expect(accept(good)).toEqual({ port, origin: 'https://shop.example', session: 'session-1' })
    expect(posted).toEqual([{ type: 'connected', version: 1, nonce: opening.nonce, session: 'session-1' }])
  })

  test('nobody else gets a word, and the page may still come', () => {
    const { accept, port, posted, good } = acceptor()
    const wrong: Partial<WindowMessage>[] = [
      { origin: 'https://evil.example' },
      { source: { name: 'another window' } },
      { source: null },
      { ports: [] },
      { ports: [port, port] },
      { data: null },
      { data: 'symbolon:connect' },
      { data: { ...opening, extra: 1 } },
      { data: { ...opening, nonce: 'short' } },
      { data: { ...opening, version: '1' } },
      { data: { ...opening, type: 'other' } },
      { data: Object.create(opening) },
    ]
    for (const change of wrong) expect(accept({ ...good, ...change })).toBeUndefined()
    expect(posted).toEqual([])
    expect(accept(good)).toBeDefined()
  })

  test('a second page is not let in, not even the same one', () => {
    const { accept, posted, good } = acceptor()
    accept(good)
    expect(accept(good)).toBeUndefined()
    expect(posted).toHaveLength(1)
  })

  test('a page with another version gets an error, and nothing is served', () => {
    const { accept, posted, good } = acceptor()
    expect(accept({ ...good, data: { ...opening, version: 2 } })).toBeUndefined()
    expect(posted).toEqual([{ type: 'refused', code: 'unsupported_version' }, 'closed'])
    expect(accept(good)).toBeUndefined()
  })
})
