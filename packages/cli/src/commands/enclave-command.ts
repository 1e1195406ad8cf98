import { generateKeyPairSync, type JsonWebKey, type KeyPairKeyObjectResult } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type EnclaveStatus, enclaveStatus, measureImage, OperatorError } from '@symbolon/server/operator'
import type { Command } from 'commander'
import type { CliWorld } from '../cli-world.ts'
import { findInstallation } from '../find-installation.ts'
import { type JsonOption, jsonOption, printResult } from '../print-result.ts'
import { orderCommands } from './order-commands.ts'

/** Adds `symbolon enclave`: the state of the enclave and its key ring, and what an operator does with them. */
export function enclaveCommand(symbolon: Command, world: CliWorld): void {
  const enclave = symbolon.command('enclave').description('The enclave and its key ring.').helpCommand(false)
  enclave
    .command('status')
    .description('Shows the key ring that the database names, the enclaves with theirs, and the epoch.')
    .option(...jsonOption)
    .action(async (options: JsonOption) => {
      const status = await enclaveStatus(findInstallation(world))
      printResult(world, options, status, statusText(status))
    })
  orderCommands(enclave, world)
  enclave
    .command('measure')
    .argument('[image]', 'the image file (default: dist/image/symbolon-enclave.eif of the repository)')
    .description('Shows what the hypervisor will measure of an enclave image. Needs no installation.')
    .option(...jsonOption)
    .action((image: string | undefined, options: JsonOption) => {
      const measured = measureImage(
        image === undefined ? builtImage(world) : path.resolve(world.folder, image),
      )
      const text = Object.entries(measured).map(([name, value]) => `${name.padEnd(8)} ${value}\n`)
      printResult(world, options, measured, text.join(''))
    })
  keyCommand(enclave, world, {
    name: 'api-key',
    description:
      "Makes the API's key towards the enclave (ENCLAVE_API_KEY) in a new file that only you can read.",
    use: 'name it in ENCLAVE_API_KEY_FILE',
    make: () => generateKeyPairSync('x25519'),
  })
  keyCommand(enclave, world, {
    name: 'operator-key',
    description:
      "Makes an operator's key, which signs manifests and orders of the enclave, in a new file that only you can read.",
    use: 'keep it away from the hosts of API and enclave',
    make: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  })
}

const builtImage = ({ repository }: CliWorld): string =>
  path.join(repository, 'dist/image/symbolon-enclave.eif')

type NewKey = { name: string; description: string; use: string; make(): KeyPairKeyObjectResult }

/** A command that makes a key and shows its public part, for the enclave's manifest. */
function keyCommand(enclave: Command, world: CliWorld, { name, description, use, make }: NewKey): void {
  enclave
    .command(name)
    .description(description)
    .requiredOption('--out <file>', 'the file to make')
    .option(...jsonOption)
    .action((options: JsonOption & { out: string }) => {
      const key = makeKey(path.resolve(world.folder, options.out), make())
      const text = `The private key is in ${options.out}: ${use}. Its public part:\n${JSON.stringify(key)}\n`
      printResult(world, options, key, text)
    })
}

/** Writes a new private key as a JWK and returns its public part. */
function makeKey(file: string, { privateKey, publicKey }: KeyPairKeyObjectResult): JsonWebKey {
  try {
    const text = JSON.stringify(privateKey.export({ format: 'jwk' }))
    writeFileSync(file, `${text}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const { code = 'unwritable' } = error as NodeJS.ErrnoException
    throw new OperatorError(`${file} cannot be made (${code}).`)
  }
  return publicKey.export({ format: 'jwk' })
}

function statusText({ mode, ring_id: ring, versions, enclaves, epoch }: EnclaveStatus): string {
  const states = versions.map(({ version, state }) => `${version} ${state}`).join(', ')
  return [
    `attestation  ${mode}`,
    `key ring     ${ring ?? 'none yet'}`,
    `versions     ${states || 'none yet'}`,
    `epoch        ${epoch}`,
    ...enclaves.map(
      ({ pid, phase, ring_id: own, version, image }) =>
        `enclave      ${pid === null ? '' : `process ${pid}: `}${phase === null ? 'does not answer' : `${phase}, ring ${own ?? 'none'}, version ${version}${image === null ? '' : `, image ${image.version}`}`}`,
    ),
    '',
  ].join('\n')
}
