import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readEif } from '@symbolon/enclave/image'

const saysMs = 100_000
const program = '/usr/bin/qemu-system-x86_64'

/** One sentence where QEMU is missing. */
export function missingMachine(): string | undefined {
  return existsSync(program)
    ? undefined
    : 'These tests need the package qemu-system-x86: apt-get install qemu-system-x86'
}

/**
 * An enclave image that runs in a machine of its own. `socketPath` is the host's end of the virtio port in the place of vsock; the console has
 * what was written so far.
 */
export type MicroMachine = {
  readonly socketPath: string
  console(): string
  /** Resolves with the console as soon as it says `words`; rejects where the machine ends before, or within 100 s. */
  says(words: string): Promise<string>
  /** Resolves with the console once the machine has ended by itself. */
  ended: Promise<string>
  stop(): Promise<void>
}

/** `moreCommandLine` comes behind the image's own, and `moreArguments` behind QEMU's, as a host could have it. */
type Start = {
  image: Uint8Array
  folder: string
  moreCommandLine?: string
  moreArguments?: readonly string[]
}

/**
 * What this machine has otherwise than the hypervisor's: no keyboard controller, so that it ends by a triple fault, and, without KVM on a
 * busy host, clocks that fail the kernel's comparison of one with the other.
 */
const ofThisMachine = 'reboot=t no_timer_check'

/** A machine may have the device without the processor behind it, and then kernels do not boot under it. */
function hasKvm(): boolean {
  try {
    accessSync('/dev/kvm', constants.R_OK | constants.W_OK)
    return /^flags\s*:.*\b(vmx|svm)\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'))
  } catch {
    return false
  }
}

/**
 * Boots an image as the hypervisor would: kernel, command line and ramdisks are what our reader finds in the file. QEMU's machine without
 * firmware or PCI, by KVM where there is one.
 */
export function startMachine({
  image,
  folder,
  moreCommandLine = '',
  moreArguments = [],
}: Start): MicroMachine {
  const { kernel, commandLine, ramdisks } = readEif(image)
  const [kernelPath, ramdiskPath] = [path.join(folder, 'kernel'), path.join(folder, 'ramdisk')]
  const socketPath = path.join(folder, 'port')
  rmSync(socketPath, { force: true })
  writeFileSync(kernelPath, kernel)
  writeFileSync(ramdiskPath, Buffer.concat(ramdisks))
  const child = spawn(
    program,
    [
      ...['-M', 'microvm,acpi=off,rtc=on', '-accel', hasKvm() ? 'kvm' : 'tcg', '-cpu', 'max', '-m', '1024'],
      ...['-nodefaults', '-no-user-config', '-nographic', '-no-reboot', '-serial', 'stdio'],
      ...[
        '-kernel',
        kernelPath,
        '-initrd',
        ramdiskPath,
        '-append',
        `${commandLine} ${ofThisMachine} ${moreCommandLine}`,
      ],
      ...['-chardev', `socket,id=port,path=${socketPath},server=on,wait=off`],
      ...['-device', 'virtio-serial-device', '-device', 'virtserialport,chardev=port,nr=1'],
      ...moreArguments,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  return machineOf(child, socketPath)
}

function machineOf(child: ChildProcess, socketPath: string): MicroMachine {
  let said = ''
  const waiting: { words: string; resolve: (console: string) => void }[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
      for (const { words, resolve } of waiting) if (said.includes(words)) resolve(said)
    })
  const ended = new Promise<string>((resolve) => child.once('close', () => resolve(said)))
  return {
    socketPath,
    ended,
    console: () => said,
    says: (words) =>
      new Promise((resolve, reject) => {
        waiting.push({ words, resolve })
        if (said.includes(words)) resolve(said)
        const fail = () => reject(new Error(`the machine does not say ${words}:\n${said}`))
        const limit = setTimeout(fail, saysMs)
        void ended.then(() => clearTimeout(limit)).then(fail)
      }),
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
