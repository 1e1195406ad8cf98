/** An answer as a browser meets it; `location` is where it leads. */
export type Page = { status: number; location: string | undefined; cookies: string[]; text: string }

/** A browser as far as a login needs one: it keeps cookies by name, follows nothing, and sends forms with its origin. */
export type Browser = {
  put(name: string, value: string): void
  value(name: string): string | undefined
  /** Another browser with the same cookies. */
  copy(): Browser
  get(url: string): Promise<Page>
  post(url: string, body: object): Promise<Page>
  /** Goes through the identity provider as somebody; answers the callback's address, not visited yet. */
  loginUntilCallback(base: string, email: string, returnTo?: string): Promise<string>
  login(base: string, email: string): Promise<Page>
}

/** Makes a browser. */
export function newBrowser(jar: ReadonlyMap<string, string> = new Map()): Browser {
  const kept = new Map(jar)

  async function visit(url: string, { headers, ...init }: RequestInit): Promise<Page> {
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
    const all = { ...(headers as Record<string, string>), cookie }
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: all })
    const cookies = answer.headers.getSetCookie()
    for (const text of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(text)) kept.delete(name)
      else kept.set(name, value)
    }
    const location = answer.headers.get('location') ?? undefined
    return { status: answer.status, location, cookies, text: await answer.text() }
  }

  const send = (url: string, type: string, body: string) =>
    visit(url, { method: 'POST', headers: { origin: new URL(url).origin, 'content-type': type }, body })

  const browser: Browser = {
    put: (name, value) => void kept.set(name, value),
    value: (name) => kept.get(name),
    copy: () => newBrowser(kept),
    get: (url) => visit(url, { method: 'GET' }),
    post: (url, body) => send(url, 'application/json', JSON.stringify(body)),

    async loginUntilCallback(base, email, returnTo) {
      const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`
      let page = await browser.get(`${base}/v1/auth/login${query}`)
      for (let step = 0; step < 6; step++) {
        const next = new URL(page.location ?? '', base)
        if (next.pathname === '/v1/auth/callback') return next.href
        page = next.pathname.startsWith('/dev/idp-login/')
          ? await send(next.href, 'application/x-www-form-urlencoded', String(new URLSearchParams({ email })))
          : await browser.get(next.href)
      }
      throw new Error(`The login of ${email} led nowhere: ${page.status} ${page.text}`)
    },

    login: async (base, email) => browser.get(await browser.loginUntilCallback(base, email)),
  }
  return browser
}
