import {
  type EnclaveOp,
  expectEnd,
  readBytes16,
  readExportAnswer,
  readGenerateAnswer,
  readImportKeyAnswer,
  readSignAnswer,
  readStatusAnswer,
  readU32,
  type WireReader,
  type WireWriter,
  writeExportRequest,
  writeGenerateRequest,
  writeImportKeyRequest,
  writeImportRequest,
  writeRewrapRequest,
  writeSignRequest,
} from '@symbolon/crypto/node'
import type { Enclave } from '../ports/enclave.ts'
import type { Log } from '../ports/log.ts'
import type { AttestationPolicy } from './attestation/policy.ts'
import { enclaveSocketLink } from './enclave-socket-link.ts'

/** `path` is the enclave's unix socket; `policy` says which attested enclave to talk to. */
export type EnclaveSocketInput = {
  path: string
  policy: AttestationPolicy
  log?: Pick<Log, 'info' | 'warn'>
}

/**
 * The enclave behind a unix socket. Connects on first use and again by itself, verifies the attestation each time;
 * requests that come while it is out of reach wait up to 1 s for it. The protocol is packages/enclave/SPEC.md.
 */
export function enclaveSocket(input: EnclaveSocketInput): Enclave {
  const link = enclaveSocketLink(input)

  const call = <answer>(
    op: EnclaveOp,
    write: (writer: WireWriter) => void,
    read: (body: WireReader) => answer,
  ): Promise<answer> => link.request(op, write, read)

  return {
    generate: (wallet) =>
      call('generate', (writer) => writeGenerateRequest(writer, wallet), readGenerateAnswer),
    sign: (wallet) => call('sign', (writer) => writeSignRequest(writer, wallet), readSignAnswer),
    export: (wallet) => call('export', (writer) => writeExportRequest(writer, wallet), readExportAnswer),
    importKey: (wallet) =>
      call('importKey', (writer) => writeImportKeyRequest(writer, wallet), readImportKeyAnswer),
    import: (wallet) => call('import', (writer) => writeImportRequest(writer, wallet), readGenerateAnswer),
    rewrap: (wallet) =>
      call(
        'rewrap',
        (writer) => writeRewrapRequest(writer, wallet),
        (body) => ({ shareA: Uint8Array.from(lastOf(body, readBytes16)) }),
      ),
    rotate: () => call('rotate', nothing, (body) => ({ keyVersionA: lastOf(body, readU32) })),
    seal: () => call('seal', nothing, expectEnd),
    async status() {
      const { phase, keyVersionA } = await call('status', nothing, readStatusAnswer)
      return { phase, keyVersionA, ...link.attested() }
    },
    close: () => link.close(),
  }
}

function nothing(): void {}

function lastOf<value>(body: WireReader, read: (body: WireReader) => value): value {
  const value = read(body)
  expectEnd(body)
  return value
}
