/** A text by which its signer logs in: where to (an authority in lower case), null where that is not certain. */
export type SignIn = { readonly domain: string | null }

const beginning = /wants you to sign in/i
const firstLine =
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^\s/?#@]+) wants you to sign in with your (\S[^\n]{0,62}?) account:$/i
const uriForm = /^[a-z][a-z0-9+.-]*:\/\/([^\s/?#@]+)(?:[/?#]\S*)?$/i

/** The fields of EIP-4361, and of Solana's form of it, in their order; the first ones Ethereum's has always. */
const fields = [
  'URI',
  'Version',
  'Chain ID',
  'Nonce',
  'Issued At',
  'Expiration Time',
  'Not Before',
  'Request ID',
]
const requiredCount = 5

/**
 * What a text is as a sign-in (EIP-4361, Sign-In with Solana, CAIP-122); `undefined` where it does not begin like one. The domain is null
 * where it does not parse, is for another address than the signer's, or names a `URI` of another host.
 */
export function readSignIn(text: string, address: string): SignIn | undefined {
  const [first = '', second = '', ...body] = text.split('\n', 256)
  if (!beginning.test(text.trimStart().split('\n', 1)[0] ?? '')) return undefined
  const [, domain, account] = firstLine.exec(first) ?? []
  if (domain === undefined || account === undefined || !isSame(second, address)) return { domain: null }
  const uris = readBody(body, account === 'Ethereum')
  const host = hostOf(domain)
  const isOfDomain = uris?.every((uri) => hostOf(uriForm.exec(uri)?.[1] ?? '') === host) === true
  return { domain: isOfDomain ? domain.toLowerCase() : null }
}

function isSame(given: string, address: string): boolean {
  return given === address || (/^0x/i.test(address) && given.toLowerCase() === address.toLowerCase())
}

const hostOf = (authority: string): string => authority.toLowerCase().replace(/:\d*$/, '')

/** The `URI`s of what stands below the address; `undefined` where that does not parse. */
function readBody(lines: readonly string[], isWhole: boolean): readonly string[] | undefined {
  const start = lines.findIndex((line) => line === 'Resources:' || fieldOf(line) !== undefined)
  const head = start < 0 ? lines : lines.slice(0, start)
  const statements = head.filter((line) => line !== '')
  if (statements.length > 1 || (head.length > 0 && head[0] !== '')) return undefined
  const named = start < 0 ? [] : lines.slice(start)
  const resources = named.indexOf('Resources:')
  const given = resources < 0 ? named : named.slice(0, resources)
  const listed = resources < 0 ? [] : named.slice(resources + 1)
  const names = given.map(fieldOf)
  const places = names.map((name) => (name === undefined ? -1 : fields.indexOf(name)))
  const isOrdered = places.every((place, i) => place > (i === 0 ? -1 : (places[i - 1] ?? -1)))
  const hasAll = fields.slice(0, requiredCount).every((name) => names.includes(name))
  if (!isOrdered || (isWhole && !hasAll) || !listed.every((line) => line.startsWith('- '))) return undefined
  return given.filter((line) => fieldOf(line) === 'URI').map((line) => line.slice('URI: '.length))
}

function fieldOf(line: string): string | undefined {
  return fields.find((name) => line.startsWith(`${name}: `))
}
