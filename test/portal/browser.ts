/** An answer as a browser meets it; `location` is where it leads. */
export type Page = { status: number; location: string | undefined; cookies: string[]; text: string }

/** A browser as far as a login needs one: it keeps cookies by name, follows nothing, and sends forms with its origin. */
export class Browser {
  readonly #cookies = new Map<string, string>()

  put(name: string, value: string): void {
    this.#cookies.set(name, value)
  }

  value(name: string): string | undefined {
    return this.#cookies.get(name)
  }

  /** Another browser with the same cookies. */
  copy(): Browser {
    const other = new Browser()
    for (const [name, value] of this.#cookies) other.put(name, value)
    return other
  }

  get(url: string): Promise<Page> {
    return this.#fetch(url, { method: 'GET' })
  }

  post(url: string, body: object | URLSearchParams): Promise<Page> {
    const isForm = body instanceof URLSearchParams
    return this.#fetch(url, {
      method: 'POST',
      headers: {
        origin: new URL(url).origin,
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      },
      body: isForm ? body.toString() : JSON.stringify(body),
    })
  }

  /** Goes through the identity provider as somebody; answers the callback's address, not visited yet. */
  async loginUntilCallback(base: string, email: string, returnTo?: string): Promise<string> {
    const query = returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`
    let page = await this.get(`${base}/v1/auth/login${query}`)
    for (let step = 0; step < 6; step++) {
      const next = new URL(page.location ?? '', base)
      if (next.pathname === '/v1/auth/callback') return next.href
      page = next.pathname.startsWith('/dev/idp-login/')
        ? await this.post(next.href, new URLSearchParams({ email }))
        : await this.get(next.href)
    }
    throw new Error(`The login of ${email} led nowhere: ${page.status} ${page.text}`)
  }

  async login(base: string, email: string): Promise<Page> {
    return this.get(await this.loginUntilCallback(base, email))
  }

  async #fetch(url: string, { headers, ...init }: RequestInit): Promise<Page> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...headers, cookie } as HeadersInit,
    })
    const cookies = answer.headers.getSetCookie()
    for (const text of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(text)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? undefined,
      cookies,
      text: await answer.text(),
    }
  }
}
