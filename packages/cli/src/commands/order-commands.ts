import {
  acceptState,
  type Operators,
  orderRotation,
  orderSeal,
  type Rotation,
  rotateRing,
  type StateAcceptance,
} from '@symbolon/server/operator'
import type { Command } from 'commander'
import type { CliWorld } from '../cli-world.ts'
import {
  findDatabase,
  findInstallation,
  findOperators,
  OperatorOptionError,
  type OperatorOptions,
} from '../find-installation.ts'
import { type JsonOption, jsonOption, printResult } from '../print-result.ts'

type Options = JsonOption & OperatorOptions

/** Adds what operators order of the enclave, each order signed by their keys and carried by the platform. */
export function orderCommands(enclave: Command, world: CliWorld): void {
  orderCommand(
    enclave,
    'rotate',
    'Gives the key ring a new version and puts all wallets under it, while the service runs. With --url, the wallets stay as they are.',
  ).action(async (options: Options, rotate: Command) => {
    const installation = options.url === undefined ? findInstallation(world) : undefined
    const operators = operatorsOf(world, options, rotate)
    const rotation = await (installation ? rotateRing(installation, operators) : orderRotation(operators))
    const { ringId, version } = rotation
    printResult(world, options, { ring_id: ringId, version }, rotationText(rotation))
  })
  orderCommand(
    enclave,
    'seal',
    'Makes the enclave forget its keys until it is started anew: nothing is signed meanwhile.',
  ).action(async (options: Options, seal: Command) => {
    const { ringId, phase } = await orderSeal(operatorsOf(world, options, seal))
    printResult(
      world,
      options,
      { ring_id: ringId, phase },
      `The enclave of the key ring ${ringId} is ${phase}: it has forgotten its keys. Its supervisor starts another.\n`,
    )
  })
  orderCommand(
    enclave,
    'accept-state',
    'Accepts what the enclave began with at its start: agent sessions from before sign again. Runs where the database is.',
  ).action(async (options: Options, accept: Command) => {
    const database = findDatabase(world)
    const show = (state: StateAcceptance) => (options.json ? undefined : world.print(stateText(state)))
    const state = await acceptState(database, operatorsOf(world, options, accept), show)
    const { accepted, ...rest } = state
    const text = accepted
      ? 'Accepted, until the enclave is started again.\n'
      : 'Nothing waits to be accepted.\n'
    printResult(world, options, { accepted, ...rest }, text)
  })
}

function orderCommand(enclave: Command, name: string, description: string): Command {
  const eachKey = (file: string, files: string[] = []): string[] => [...files, file]
  return enclave
    .command(name)
    .description(description)
    .option(
      '--operator-key <file>',
      'the key of an operator who signs this (JWK); may be repeated. A running npm start has its own',
      eachKey,
    )
    .option('--ring <id>', 'the id of the key ring; only a running npm start goes without')
    .option(
      '--url <url>',
      'the platform that carries the order (default: the running npm start, or BASE_URL)',
    )
    .option(...jsonOption)
}

/** Ends with 2 where production needs an option that is not there. */
function operatorsOf(world: CliWorld, options: Options, command: Command): Operators {
  try {
    return findOperators(world, options)
  } catch (error) {
    if (error instanceof OperatorOptionError) return command.error(`error: ${error.message}`)
    throw error
  }
}

/** What is about to be accepted. */
const stateText = ({ ring_id: ringId, epoch, snapshot, organizations }: StateAcceptance): string =>
  [
    `key ring     ${ringId}`,
    `epoch        ${epoch}`,
    `marks        number ${snapshot.number}, root ${snapshot.root}`,
    ...organizations.map(
      ({ organization_id: id, tree_size: size, root_hash: root }) =>
        `audit log    ${id}: ${size} events, root ${root}`,
    ),
    '',
  ].join('\n')

const rotationText = ({ ringId, version, rewrapped }: Rotation): string =>
  rewrapped === null
    ? `The key ring ${ringId} has version ${version}. On a host of the API, put the wallets under it: rotate-keys tee-a --rewrap-only (docs/guides/keys.md).\n`
    : `The key ring ${ringId} has version ${version}; ${rewrapped} shares were put under it.\n`
