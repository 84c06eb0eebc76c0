(module name: (_) @name) @module
(class name: (_) @name) @class
(assignment left: (constant) @name) @constant
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
