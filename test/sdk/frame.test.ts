import { FrameFailure, type Handlers, talk } from '@symbolon/iframe/testing'
import { connection, frame } from '@symbolon/sdk/testing'
import { afterEach, describe, expect, test } from 'vitest'

const baseUrl = 'https://wallet.example'
const never = () => new Promise<never>(() => undefined)
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** The SDK's end of a talk with the real frame's; `lose` is what happens when the frame leaves the page. */
function linked(some: Partial<Handlers>) {
  const { port1, port2 } = new MessageChannel()
  const said: string[] = []
  const shown: boolean[] = []
  const strips: boolean[] = []
  let isAlive = true
  let lost = () => {}
  const handlers: Handlers = {
    'login.start': never,
    'login.verify': never,
    'session.set': async ({ token }) => {
      said.push(`session.set ${token}`)
      return {}
    },
    'wallet.create': never,
    'wallet.import': never,
    'device.state': never,
    'device.wipe': async () => {
      said.push('device.wipe')
      return {}
    },
    sign: never,
    'userop.send': never,
    'calls.agree': never,
    'calls.show': never,
    'transactions.agree': never,
    'recovery.run': never,
    'share.refresh': never,
    'key.export': never,
    ...some,
  }
  const line = talk({ port: port2, origin: 'https://shop.example', session: 's1' }, handlers)
  ends.push(() => {
    port1.close()
    port2.close()
  })
  const lose = () => {
    isAlive = false
    lost()
  }
  const link = {
    port: port1,
    session: 's1',
    show: (isOpen: boolean) => shown.push(isOpen),
    showStrip: (isOpen: boolean) => strips.push(isOpen),
    isAlive: () => isAlive,
    remove: lose,
    onLost: (listener: () => void) => {
      lost = listener
    },
  }
  return { link, line, said, shown, strips, lose }
}

const codeOf = async (result: Promise<{ error: { code: string } | null }>) => (await result).error?.code

describe('a connection to the frame', () => {
  test('answers each request with its own result, in whatever order they come', async () => {
    const slow = { wallet_id: 'w', polynomial_version: 2 }
    const { link } = linked({
      'recovery.run': async () => {
        await new Promise((go) => setTimeout(go, 20))
        return slow
      },
    })
    const { request } = connection(link, baseUrl)
    const [first, second] = await Promise.all([
      request('recovery.run', { curve: 'secp256k1' }),
      request('device.wipe', {}),
    ])
    expect(first).toEqual({ data: slow, error: null })
    expect(second).toEqual({ data: {}, error: null })
  })

  test('hands on why the frame refused, and the existing wallet as data', async () => {
    const { link } = linked({
      sign: async () => {
        throw new FrameFailure('user_rejected')
      },
      'wallet.create': async () => {
        throw new FrameFailure('wallet_exists', { details: { wallet: { id: 'w' } } })
      },
    })
    const { request } = connection(link, baseUrl)
    expect(await codeOf(request('sign', { request: { type: 'hash' } }))).toBe('user_rejected')
    const { data, error } = await request('wallet.create', { curve: 'secp256k1' })
    expect(data).toEqual({ id: 'w' })
    expect(error?.code).toBe('wallet_exists')
  })

  test('says where the page about an error of the API is, and of its own errors nothing', async () => {
    const { link } = linked({
      sign: async () => {
        throw new FrameFailure('user_rejected')
      },
      'login.verify': async () => {
        throw new FrameFailure('invalid_code', { requestId: 'r1' })
      },
    })
    const { request } = connection(link, baseUrl)
    const refused = await request('login.verify', { email: 'a@example.test', code: '000000' })
    expect(refused.error).toMatchObject({ requestId: 'r1', docs_url: `${baseUrl}/docs/errors/invalid_code` })
    expect((await request('sign', { request: { type: 'hash' } })).error).not.toHaveProperty('docs_url')
  })

  test('cancels in the frame what nobody waits for any more', async () => {
    let reason: unknown
    const { link } = linked({
      sign: (_, signal) =>
        new Promise((_, reject) => {
          signal.onabort = () => {
            reason = (signal.reason as FrameFailure).code
            reject(signal.reason)
          }
        }),
    })
    const { request } = connection(link, baseUrl)
    const controller = new AbortController()
    const asked = request('sign', { request: {} }, { signal: controller.signal })
    controller.abort()
    expect(await codeOf(asked)).toBe('cancelled')
    expect(await codeOf(request('sign', { request: {} }, { limitMs: 10 }))).toBe('timeout')
    await new Promise((go) => setTimeout(go, 20))
    expect(reason).toBe('cancelled')
  })

  test('sends nothing that the frame would not take for its size', async () => {
    const { link } = linked({})
    const request = { type: 'message', message: 'ü'.repeat(140_000) }
    expect(await codeOf(connection(link, baseUrl).request('sign', { request }))).toBe('message_too_large')
  })

  test('ends every open request when the frame leaves the page', async () => {
    const { link, lose } = linked({})
    const open = connection(link, baseUrl)
    const asked = open.request('sign', { request: {} })
    lose()
    expect(await codeOf(asked)).toBe('frame_lost')
    expect(open.isAlive()).toBe(false)
  })

  test('shows the frame when it has something to show, and hides it again', async () => {
    const { link, line, shown } = linked({})
    const { request } = connection(link, baseUrl)
    line.showDialog(true)
    line.showDialog(false)
    await request('device.wipe', {})
    expect(shown).toEqual([true, false])
  })

  test('takes no message of another session', async () => {
    const { link, shown } = linked({})
    const { request } = connection({ ...link, session: 's2' }, baseUrl)
    link.port.onmessage?.(
      new MessageEvent('message', { data: { type: 'dialog', session: 's1', open: true } }),
    )
    expect(await codeOf(request('device.wipe', {}, { limitMs: 20 }))).toBe('timeout')
    expect(shown).toEqual([])
  })
})

describe('the frame of a client', () => {
  test('knows the login before the first request, and each change of it', async () => {
    const { link, said } = linked({})
    let token: string | null = 't1'
    const wallet = frame({ baseUrl, open: async () => ({ data: link, error: null }), token: () => token })
    await Promise.all([wallet.request('device.wipe', {}), wallet.request('device.wipe', {})])
    token = 't2'
    await wallet.request('device.wipe', {})
    token = null
    wallet.follow()
    await new Promise((go) => setTimeout(go, 20))
    expect(said).toEqual([
      'session.set t1',
      'device.wipe',
      'device.wipe',
      'session.set t2',
      'device.wipe',
      'session.set null',
    ])
  })

  test('is opened once for many at a time, and again after it was lost', async () => {
    const links = [linked({}), linked({})]
    let opened = 0
    const wallet = frame({
      baseUrl,
      open: async () => ({ data: (links[opened++] ?? links[0] ?? linked({})).link, error: null }),
      token: () => 't',
    })
    await Promise.all([
      wallet.preload(),
      wallet.request('device.wipe', {}),
      wallet.request('device.wipe', {}),
    ])
    expect(opened).toBe(1)
    links[0]?.lose()
    const again = await Promise.all([wallet.request('device.wipe', {}), wallet.request('device.wipe', {})])
    expect(again.map(({ error }) => error)).toEqual([null, null])
    expect(opened).toBe(2)
    expect(links[1]?.said[0]).toBe('session.set t')
  })

  test('that could not be opened is tried again at the next request', async () => {
    const { link } = linked({})
    let isThere = false
    const missing = { code: 'frame_unreachable', message: 'no' } as const
    const wallet = frame({
      baseUrl,
      open: async () => (isThere ? { data: link, error: null } : { data: null, error: missing }),
      token: () => null,
    })
    expect(await codeOf(wallet.preload())).toBe('frame_unreachable')
    isThere = true
    expect(await wallet.request('device.wipe', {})).toEqual({ data: {}, error: null })
  })
})
