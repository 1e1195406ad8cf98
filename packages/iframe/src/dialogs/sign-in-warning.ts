/** The first line of a sign-in message (EIP-4361, CAIP-122): the domain that it logs in to, with its scheme if given. */
const signIn = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(\S+) wants you to sign in with your \S+ account:$/i

/**
 * A warning when a message logs in to a host other than the requesting page's: whoever gets the signature is logged
 * in there (EIP-4361, "Wallet Implementer Steps"); `null` for every other text.
 */
export function signInWarning(message: string, pageOrigin: string): string | null {
  const domain = signIn.exec(message.split('\n', 1)[0] ?? '')?.[1]
  if (domain === undefined) return null
  const host = pageOrigin.slice(pageOrigin.indexOf('://') + 3)
  if (domain.toLowerCase() === host.toLowerCase()) return null
  return `This logs in to ${domain}, but ${host} asks for it. Whoever gets the signature can act as you there.`
}
