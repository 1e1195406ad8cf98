import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { SocketError } from './start-fault.ts'

// The shortest limit of the systems we run on (macOS; Linux has 107).
const socketPathBytesMax = 103

/**
 * Listens on a unix socket that only this user reaches: mode 0600 in a folder of mode 0700 (made when absent). A
 * socket left by a dead process is replaced; one that answers is an error, as is a folder open to others. How many connections there may be is the
 * affair of `onConnection`. Throws `SocketError`.
 */
export async function listen(socketPath: string, onConnection: (socket: Socket) => void): Promise<Server> {
  try {
    return await listenAlone(socketPath, onConnection)
  } catch (error) {
    if (error instanceof SocketError) throw error
    throw new SocketError(error instanceof Error ? error.message : 'unknown', { cause: error })
  }
}

async function listenAlone(socketPath: string, onConnection: (socket: Socket) => void): Promise<Server> {
  if (Buffer.byteLength(socketPath) > socketPathBytesMax) throw new SocketError('the path is too long')
  if (process.platform !== 'win32') {
    assertPrivateFolder(dirname(socketPath))
    if (await isAnswered(socketPath)) throw new SocketError('another enclave answers there')
    rmSync(socketPath, { force: true })
  }
  const server = createServer({ noDelay: true }, onConnection)
  const maskBefore = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      // It stays: an error of `accept` that nobody listens for would end the process.
      server.on('error', reject)
      server.listen(socketPath, resolve)
    })
  } finally {
    process.umask(maskBefore)
  }
  if (process.platform !== 'win32') chmodSync(socketPath, 0o600)
  return server
}

function assertPrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { mode, uid } = statSync(folder)
  if ((mode & 0o077) !== 0 || uid !== process.getuid?.()) {
    throw new SocketError('its folder must be ours and of mode 0700')
  }
}

function isAnswered(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socketPath)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
}
