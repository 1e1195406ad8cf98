import type { SignInInput } from './wallet-types.ts'

/** The text of Sign In With Solana (the layout of EIP-4361 with Solana's words). */
export function signInMessage(input: SignInInput & { domain: string; address: string }): string {
  const { domain, address, statement, resources } = input
  const fields: [string, string | undefined][] = [
    ['URI', input.uri],
    ['Version', input.version],
    ['Chain ID', input.chainId],
    ['Nonce', input.nonce],
    ['Issued At', input.issuedAt],
    ['Expiration Time', input.expirationTime],
    ['Not Before', input.notBefore],
    ['Request ID', input.requestId],
  ]
  const lines = fields.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${value}`)
  if (resources !== undefined) lines.push('Resources:', ...resources.map((resource) => `- ${resource}`))
  return [
    `${domain} wants you to sign in with your Solana account:\n${address}`,
    ...(statement === undefined ? [] : [statement]),
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
  ].join('\n\n')
}
