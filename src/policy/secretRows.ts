/** The built-in table of secret files (threat rows A8, A35), as data. */

/** Files that published lists call secret, with the lists that name them. Matched case-folded and NFC, so they are in lower case. */
interface SecretRow {
  /** The published lists or documentation that this row is taken from. */
  readonly source: string;
  /** Names of files, or of a folder and a file in it, at any depth. A folder of this name is not meant. */
  readonly files?: readonly string[];
  /** Names of folders in which every file is secret. */
  readonly folders?: readonly string[];
  /** A name with one of these words between dots, dashes and underscores is left out (`.env.example`). */
  readonly except?: ReadonlySet<string>;
  /** A file below a folder of one of these names is left out. */
  readonly exceptBelow?: ReadonlySet<string>;
}

/** Words in the names of samples, which hold no secrets. */
const samples: ReadonlySet<string> = new Set(
  'example examples sample samples template tmpl tpl dist default defaults schema skeleton'.split(' '),
);

/** Words in the names of certificates. Where such a file holds a private key too, that is redacted by its shape. */
const certificates: ReadonlySet<string> = new Set(
  'cert certs certificate certificates cacert ca cacerts chain fullchain bundle root pub public crl csr dhparam dhparams'.split(
    ' ',
  ),
);

/** Folders with the keys of tests. A PEM file is text, so that a private key in it is redacted all the same. */
const tests: ReadonlySet<string> = new Set(
  'test tests testdata fixture fixtures __fixtures__ __tests__ spec e2e'.split(' '),
);

/**
 * The union of what published lists call secret by name: the signatures of gitrob and shhgit, the file names of Talisman, the security
 * ignores of Continue and Cursor, the file rules of gitleaks (trufflehog has none), GitHub's gitignore templates. Left out is what
 * they list because it may hold anything (logs, databases, dumps, certificates, source code, files of settings).
 */
export const secretRows: readonly SecretRow[] = [
  {
    source: 'gitrob, shhgit, Talisman, Continue, Cursor (ignore-file reference), gitignore: Node, Python',
    files: [
      '.env',
      '*.env',
      '.env[._~ -]*',
      '*.env.*',
      '*.env-*',
      'env.{local,prod,production,staging,secret}',
      '.envrc*',
    ],
    except: samples,
  },
  {
    source: 'Cloudflare Workers documentation (local development), gitignore: Node',
    files: ['.dev.vars*'],
    except: samples,
  },
  {
    source: 'gitrob, shhgit, Talisman, Continue, gitignore: Java',
    files: ['*.pem'],
    except: certificates,
    exceptBelow: tests,
  },
  {
    source: 'gitrob, shhgit, Talisman, Continue, gitleaks (pkcs12-file), gitignore: Android, Java',
    files: [
      '*.{key,keypair,p12,pfx,pkcs12,jks,bks,keystore,truststore,ppk,p8,snk}',
      '*.{kdb,kdbx,psafe3,agilekeychain,keychain}',
    ],
  },
  {
    source: 'gitrob, shhgit, Talisman, Continue',
    files: [
      'id_{rsa,dsa,ecdsa,ed25519}*',
      '*_{rsa,dsa,ecdsa,ed25519}',
      '*.{gpg,kwallet,keyring}',
      'otr.private_key',
      '*.{bek,fve,tpm}',
    ],
  },
  { source: 'gitrob, shhgit, Continue', folders: ['.ssh', '.gnupg', '.gpg', '.password-store', '.gcp'] },
  {
    source: 'Continue, Rails guide (encrypted credentials), Docker (secrets)',
    folders: ['secrets', '.secrets', '.secret'],
  },
  {
    source: 'Continue, shhgit, Rails guide, Streamlit documentation (secrets.toml), gitignore: Unity, Rails',
    files: [
      'secrets',
      '{,.}secrets.{json,jsonc,json5,yml,yaml,toml,ini,xml,txt,env,enc,properties,conf,cfg,plist,tfvars}',
      '*.{secret,secrets}',
      '.secrets*',
      '.secret',
    ],
    except: samples,
  },
  {
    source: 'gitrob, shhgit, Talisman, Continue, Google Cloud documentation (credentials.json), gitignore: Firebase',
    files: [
      'credentials',
      '{,.}credentials.{json,yml,yaml,toml,ini,xml,txt,csv,properties,conf,cfg,db,enc,yml.enc}',
      '*credentials*.json',
      '*.credentials',
      '*client_secret*.json',
      '*service{,-,_}account*.json',
      '*adminsdk*.json',
    ],
    except: samples,
  },
  {
    source: 'Google Cloud documentation (application default credentials)',
    files: ['application_default_credentials.json'],
  },
  {
    source: 'AWS CLI, Azure CLI, kubectl, Helm, Docker and OCI documentation, gitrob, shhgit',
    files: [
      '.aws/{credentials*,config}',
      '.azure/{accesstokens,azureprofile,msal_token_cache}.*',
      '.docker/config.json',
      '{,.}dockercfg',
      '.dockerconfigjson',
      '.oci/config',
      '{,.}kubeconfig',
      '{,*.}kubeconfig.{yml,yaml,json}',
      '*.kubeconfig',
      'doctl/config.yaml',
      '.boto',
      '{,.}s3cfg',
    ],
    folders: ['.kube'],
  },
  {
    source: 'gitrob, shhgit, gitignore: Terraform, Terraform CLI documentation',
    files: ['*.tfstate*', '*.tfvars*', '{.terraformrc,terraform.rc,credentials.tfrc.json}'],
    except: samples,
  },
  {
    source: 'Ansible documentation (vault passwords), Vault documentation (token helper)',
    files: ['{,.}vault{_,-}pass*', '{,.}vault-token'],
    except: samples,
  },
  {
    source: 'gitrob, shhgit, Talisman',
    files: [
      '{.,_,}netrc',
      '{,.}git-credentials',
      '{,.}pgpass{,.conf}',
      '.my.cnf',
      '.mylogin.cnf',
      '{,.}htpasswd',
      '.htpasswd.*',
      '.pypirc',
      '.gem/credentials',
      '.cargo/credentials{,.toml}',
      '.config/hub',
      '{,.}tugboat',
      '.esmtprc',
      '.msmtprc',
      '.muttrc',
      '.fetchmailrc',
      'proftpdpasswd',
    ],
    except: samples,
  },
  {
    source: 'Composer documentation (auth.json), Codex documentation, Continue',
    files: ['auth.json'],
    except: samples,
  },
  {
    source: 'gitrob, shhgit: clients of files, databases, mail and networks',
    files: [
      '{,.}sftp-config.json',
      '.vscode/{sftp,ftp-sync}.json',
      '.idea/{webservers,datasources.local}.xml',
      '.ftpconfig',
      '{,.}remote-sync.json',
      'filezilla.xml',
      'recentservers.xml',
      'sitemanager.xml',
      'robomongo.json',
      '{,.}dbeaver-data-sources.xml',
      '.dbeaver/credentials-config.json',
      '*.{ovpn,tblk}',
      '*.rdp',
      'jenkins.plugins.publish_over_ssh.bapsshpublisherplugin.xml',
      'ventrilo_srv.ini',
      '.purple/accounts.xml',
      '.irssi/config',
    ],
  },
  {
    source: 'gitrob, shhgit, Talisman: histories of shells and consoles',
    files: [
      '.{bash,zsh,sh,fish,python,node_repl,psql,mysql,sqlite,rediscli,irb,mongo,php,scapy}_history',
      '.history',
      'consolehost_history.txt',
    ],
  },
  {
    source: 'Android documentation (app signing), gitignore: Android',
    files: ['keystore.properties', 'key.properties'],
    except: samples,
  },
];

/**
 * Extensions of source code. Such a file is never closed by its name or folder, because code about secrets is called after them
 * (`secrets/rotate.ts`); a secret in it is redacted (threat row A22).
 */
export const sourceExtensions: ReadonlySet<string> = new Set(
  (
    'js cjs mjs jsx ts cts mts tsx vue svelte astro py pyi pyx rb erb rs go java kt kts scala groovy clj cljs cs fs vb c h cc cpp cxx ' +
    'hh hpp hxx m mm swift php phtml pl pm lua r jl ex exs erl hrl hs ml mli elm dart zig nim d pas asm s sh bash zsh fish ps1 psm1 bat ' +
    'cmd sql proto graphql gql thrift tf hcl bzl cmake gradle css scss sass less html htm ipynb sol vhd vhdl sv'
  ).split(' '),
);
