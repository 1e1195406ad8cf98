/**
 * What the production program reads from its environment. The parent host sets it, so each is a hint: nothing here may decide whom the
 * enclave trusts.
 */
export type EnclaveSettings = {
  socketPath: string
  moduleSocketPath: string
  /** Where the ring of this boot comes from. */
  ring: { kind: 'file'; path: string } | { kind: 'awaited'; root: string }
}

/** Settings are wrong: a line, a sentence, for each. It never holds a value. */
export class EnclaveSettingsError extends Error {
  override readonly name = 'EnclaveSettingsError'
}

const charactersMax = 4_096
const hints = ['ENCLAVE_ROOT', 'ENCLAVE_MANIFEST', 'ENCLAVE_PEERS']
const ours = [...hints, 'ENCLAVE_SOCKET', 'ENCLAVE_NSM_SOCKET', 'ENCLAVE_KEY_FILE']
const roots = /^(?:kms:arn:[\w:/.-]+|quorum|peer)$/

/** Reads the settings, all of them before anything is contacted. Throws `EnclaveSettingsError`. */
export function readEnclaveSettings(environment: Record<string, string | undefined>): EnclaveSettings {
  const given = (name: string) => environment[name] || undefined
  const complaints = ours
    .filter((name) => !isPlain(given(name) ?? ''))
    .map((name) => `${name} must be printable text of at most ${charactersMax} characters.`)
  const root = given('ENCLAVE_ROOT')
  const keyFile = given('ENCLAVE_KEY_FILE')
  if (keyFile === undefined) {
    if (root === undefined)
      complaints.push(
        'ENCLAVE_KEY_FILE is missing, or ENCLAVE_ROOT with ENCLAVE_MANIFEST: where the key ring comes from.',
      )
    else if (!roots.test(root)) complaints.push('ENCLAVE_ROOT must be kms:<key arn>, quorum or peer.')
    else if (given('ENCLAVE_MANIFEST') === undefined) complaints.push('ENCLAVE_MANIFEST is missing.')
    if (root === 'peer' && given('ENCLAVE_PEERS') === undefined)
      complaints.push('ENCLAVE_PEERS is missing: ENCLAVE_ROOT=peer needs it.')
  } else if (root !== undefined) {
    complaints.push('ENCLAVE_ROOT and ENCLAVE_KEY_FILE both say where the ring comes from: set one.')
  }
  if (complaints.length > 0) throw new EnclaveSettingsError(complaints.join('\n'))
  return {
    socketPath: given('ENCLAVE_SOCKET') ?? '/run/enclave/socket',
    moduleSocketPath: given('ENCLAVE_NSM_SOCKET') ?? '/run/nsm/socket',
    ring: keyFile === undefined ? { kind: 'awaited', root: root ?? '' } : { kind: 'file', path: keyFile },
  }
}

const isPlain = (text: string) => text.length <= charactersMax && !/\p{Cc}/u.test(text)
