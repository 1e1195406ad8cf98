import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { client } from '../client/client.ts'
import { SymbolonProvider, useSession, useSignMessage, useWallet } from '../react.ts'

const made = () =>
  client(
    { publishableKey: `pk_live_${'0'.repeat(49)}`, baseUrl: 'https://w.example', storage: 'session' },
    {
      fetch: () => Promise.reject(new Error('nothing is asked while a page is rendered')),
      now: () => 0,
      localStorage: undefined,
      locks: undefined,
      isOffline: () => false,
      document: undefined,
      // A login that only the browser knows of, not the server that renders.
      sessionStorage: { getItem: () => 'token', setItem: () => undefined, removeItem: () => undefined },
    },
  )

function Page() {
  const session = useSession()
  const { wallet, isLoading } = useWallet()
  const { isPending } = useSignMessage()
  return createElement('p', null, JSON.stringify([session.status, wallet, isLoading, isPending]))
}

describe('on a server that renders a page', () => {
  test('everybody is signed out, whatever the client knows, so that the page comes to life unchanged', () => {
    const symbolon = made()
    expect(symbolon.auth.session().status).toBe('signed_in')
    const html = renderToString(createElement(SymbolonProvider, { client: symbolon }, createElement(Page)))
    expect(html).toBe('<p>[&quot;signed_out&quot;,null,false,false]</p>')
  })

  test('a hook without its provider says what is missing', () => {
    expect(() => renderToString(createElement(Page))).toThrow(
      'useSymbolon needs a <SymbolonProvider client={…}> above it',
    )
  })
})
