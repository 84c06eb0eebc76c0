import fc from 'fast-check';

// Each of thousands of mutants runs every property that reaches it. In milliseconds; a property without any run has failed.
fc.configureGlobal({ interruptAfterTimeLimit: 200 });
