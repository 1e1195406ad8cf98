/** Checks every item, eight at a time. */
export async function each<item>(
  items: readonly item[],
  check: (item: item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) await check(item)
    }),
  )
}

/** Values of types that no text field takes. */
export const wrong = [null, 0, -1, 1.5, true, [], {}, [null], { a: 1 }]
/** Texts and numbers that trip parsers, decoders and databases. */
export const odd = [
  '',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\u202e\u0000',
  '💥'.repeat(100),
  'x'.repeat(100_000),
  '0x',
  '-',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '%00',
  '\\u0000',
  1e21,
  Number.MAX_SAFE_INTEGER,
]

/** Where a value sits in a body. */
export type Path = (string | number)[]

/** Every place in a body, the inner nodes too. */
export function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [
    ...(path.length > 0 ? [path] : []),
    ...Object.entries(value).flatMap(([key, inner]) =>
      pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

/** The body with another value at the place. */
export function changed(body: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value
  if (Array.isArray(body)) return body.map((item, i) => (i === first ? changed(item, rest, value) : item))
  const record = body as Record<string, unknown>
  return { ...record, [first]: changed(record[first], rest, value) }
}

/** The wrong values for a place: a list may be empty, an object may lack what it need not have, and another number is still one. */
export function wrongAt(body: unknown, path: Path): readonly unknown[] {
  const given = path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], body)
  return wrong.filter((value) => {
    if (Array.isArray(given)) return !Array.isArray(value) || value.length > 0
    if (typeof given === 'object') return JSON.stringify(value) !== '{}'
    return typeof given === 'string' || typeof value !== typeof given
  })
}

/** A valid request of every kind and form of signature. */
export const signBodies: Record<string, unknown>[] = [
  {
    type: 'message',
    message: 'hello',
    encoding: 'utf8',
    chain: 'base',
    curve: 'secp256k1',
    dry_run: true,
    preview: { title: 'x' },
  },
  {
    type: 'message',
    message: 'hello',
    chain: 'near',
    nonce: Buffer.alloc(32).toString('base64'),
    recipient: 'a',
    callback_url: 'b',
    dry_run: true,
  },
  { type: 'message', message: 'aGk=', encoding: 'base64', chain: 'solana', scheme: 'raw', dry_run: true },
  {
    type: 'message',
    message: '0xab',
    encoding: 'hex',
    chain: 'solana',
    application_domain: '1'.repeat(32),
    dry_run: true,
  },
  {
    type: 'typed_data',
    chain: 'base',
    dry_run: true,
    typed_data: {
      domain: { name: 'n', chainId: 8453 },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'chainId', type: 'uint256' },
        ],
        A: [
          { name: 'b', type: 'bytes32[2][]' },
          { name: 'u', type: 'uint8' },
        ],
      },
      primaryType: 'A',
      message: { b: [[`0x${'00'.repeat(32)}`, `0x${'01'.repeat(32)}`]], u: '7' },
    },
  },
  {
    type: 'transaction',
    chain: 'base',
    dry_run: true,
    transaction: {
      to: `0x${'12'.repeat(20)}`,
      value: '0x1',
      data: '0x',
      nonce: '0x0',
      gas_limit: '0x5208',
      gas_price: '0x1',
      chain_id: '0x2105',
      access_list: [{ address: `0x${'12'.repeat(20)}`, storage_keys: [`0x${'00'.repeat(32)}`] }],
    },
  },
  { type: 'transaction', chain: 'solana', transaction: 'AAAA', sign_mode: 'direct' },
  { type: 'hash', hash: `0x${'00'.repeat(32)}`, chain: 'base', dry_run: true },
  { type: 'user_operation', user_op_hash: `0x${'00'.repeat(32)}`, chain: 'base', dry_run: true },
  { type: 'authorization', contract: `0x${'12'.repeat(20)}`, chain: 'base', nonce: '0x0', dry_run: true },
]
