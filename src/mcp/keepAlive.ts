/** Silent streams say so this often, since some clients give up on headers or bytes that do not come. */
export const keepAliveMilliseconds = 5000;
