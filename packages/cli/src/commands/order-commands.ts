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
    'Adds a version to the key ring and rewraps all wallets under it, while the service runs. With --url, wallets are not rewrapped.',
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
    'Makes the enclave erase its keys. Nothing is signed until it restarts.',
  ).action(async (options: Options, seal: Command) => {
    const { ringId, phase } = await orderSeal(operatorsOf(world, options, seal))
    printResult(
      world,
      options,
      { ring_id: ringId, phase },
      `The enclave of the key ring ${ringId} is ${phase}: its keys are erased. Its supervisor starts a new process.\n`,
    )
  })
  orderCommand(
    enclave,
    'accept-state',
    'Accepts the state that the enclave started with, so that older agent sessions sign again. Run it where the database can be reached.',
  )
    .option('--show', 'show the state, and accept nothing')
    .option('--root <hex>', 'accept only a state whose marks have this root, as --show printed it')
    .action(async (options: Options & { show?: true; root?: string }, accept: Command) => {
      const { show, root } = options
      const what = { databaseUrl: findDatabase(world), isShownOnly: show === true, root }
      const state = await acceptState(what, operatorsOf(world, options, accept))
      printResult(world, options, state, `${stateText(state)}${outcomeOf(state)}`)
    })
}

function outcomeOf({ accepted, waiting }: StateAcceptance): string {
  if (accepted) return 'Accepted until the enclave restarts.\n'
  return waiting
    ? 'The enclave waits for operators to accept this.\n'
    : 'The enclave is not waiting for operators.\n'
}

function orderCommand(enclave: Command, name: string, description: string): Command {
  const eachKey = (file: string, files: string[] = []): string[] => [...files, file]
  return enclave
    .command(name)
    .description(description)
    .option(
      '--operator-key <file>',
      'an operator’s private key (JWK) that signs the order; repeat it for more operators (default: the key of the running npm start)',
      eachKey,
    )
    .option('--ring <id>', 'the id of the key ring (required, except with a running npm start)')
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

/** What operators accept. */
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
    ? `The key ring ${ringId} has version ${version}. Now rewrap the wallets on a host of the API: node scripts/node.mjs packages/server/src/process/rotate-keys-main.ts tee-a --rewrap-only\n`
    : `The key ring ${ringId} has version ${version}; ${rewrapped} shares were put under it.\n`
