(namespace_definition name: (namespace_name) @name body: (_)) @namespace
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @class
(enum_declaration name: (name) @name) @enum
(enum_case name: (name) @name) @enum_member
(const_declaration (const_element . (name) @name)) @constant
(property_declaration (property_element name: (variable_name (name) @name))) @property
(method_declaration name: (name) @name) @method
(function_definition name: (name) @name) @function
