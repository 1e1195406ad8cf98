/** The values in the snippets. */
export type SnippetParts = {
  baseUrl: string
  publishableKey: string
  secretKey: string
  mode: 'client' | 'tee'
  /** The wallet that signs, once it exists. */
  walletId: string | undefined
}

/** Code to copy, and its language or file name. */
export type Snippet = { language: string; code: string }

/** A backend's first call by curl: in TEE mode it creates a wallet for a user, in client mode it lists wallets. */
export function curlSnippet({ baseUrl, secretKey, mode }: SnippetParts): Snippet {
  const code =
    mode === 'tee'
      ? `curl ${baseUrl}/v1/s2s/wallets \\
  -H 'Authorization: Bearer ${secretKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"jane@example.com"}'`
      : `curl '${baseUrl}/v1/s2s/wallets?limit=1' \\
  -H 'Authorization: Bearer ${secretKey}'`
  return { language: 'Shell', code }
}

/** The curl command that signs with the wallet of the first call. */
export function signSnippet({ baseUrl, secretKey, walletId }: SnippetParts): Snippet {
  return {
    language: 'Shell',
    code: `curl ${baseUrl}/v1/s2s/sign \\
  -H 'Authorization: Bearer ${secretKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"wallet_id":"${walletId ?? '…'}","type":"message","message":"hello"}'`,
  }
}

/** The same calls in Node.js, without dependencies. The key comes from the environment: it never belongs in a repository. */
export function serverSnippet({ baseUrl, mode }: SnippetParts): Snippet {
  const calls =
    mode === 'tee'
      ? `const created = await call('POST', '/v1/s2s/wallets', { email: 'jane@example.com' })
// 409 wallet_exists returns the existing wallet
const wallet = created.data
const signed = await call('POST', '/v1/s2s/sign', {
  wallet_id: wallet.id,
  type: 'message',
  message: 'hello',
})
console.log(wallet.address, signed.data.signature)`
      : `const { data } = await call('GET', '/v1/s2s/wallets?limit=10')
console.log(data.total, data.items.map((wallet) => wallet.address))`
  return {
    language: 'backend.mjs',
    code: `async function call(method, path, body) {
  const answer = await fetch('${baseUrl}' + path, {
    method,
    headers: {
      authorization: 'Bearer ' + process.env.SYMBOLON_SECRET_KEY,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  const { data, error } = await answer.json()
  if (error && data === null) throw new Error(error.code + ': ' + error.message)
  return { data }
}

${calls}`,
  }
}

/** A complete page: log in with an emailed code, create a wallet, sign. */
export function pageSnippet({ baseUrl, publishableKey }: SnippetParts): Snippet {
  return {
    language: 'index.html',
    code: `<!doctype html>
<button id="login">Log in</button>
<button id="sign">Sign</button>
<pre id="out"></pre>
<script type="module">
  import { createClient } from '${baseUrl}/sdk.js'

  const client = createClient({
    publishableKey: '${publishableKey}',
    baseUrl: '${baseUrl}',
  })
  const out = (value) =>
    (document.querySelector('#out').textContent = JSON.stringify(value, null, 2))

  document.querySelector('#login').onclick = async () => {
    const email = prompt('Email')
    await client.auth.sendCode(email)
    await client.auth.verifyCode(email, prompt('The code from the email'))
    out(await client.wallets.create())
  }
  document.querySelector('#sign').onclick = async () =>
    out(await client.sign.message('hello'))
</script>`,
  }
}
